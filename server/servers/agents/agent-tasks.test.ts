import { expect, test } from 'vitest';
import type { AgentFrame, ApiFrame } from '#contracts/servers/agent-protocol.ts';
import type { AgentTask, MachineFacts, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import {
  type AgentIdentity,
  framesOf,
  joinSocket,
  poll,
  type SocketAgent,
} from './testing/scripted-agent.ts';
import { startTestGateway } from './testing/test-gateway.ts';
import { toldMachine, toldProcess } from './testing/told-machine.ts';

const v = 1 as const;
const { api, database, servers, newIdentity } = await gatewayForThisFile();

const facts: MachineFacts = {
  ...toldMachine,
  folder: '/srv/games/one',
  allows: { ...toldMachine.allows, power: true },
  tasks: ['power'],
};
const report = toldProcess;
const start: AgentTask = { kind: 'power', action: 'start', countdown: null };
const how = { by: testOwner, expiresInMs: 60_000 };
const done: TaskResult = { outcome: 'done', detail: null, value: { how: 'well' } };
const machine = (taskJournal = 'memory'): AgentFrame => ({ v, type: 'machine', taskJournal, machine: facts });
const accepted = (...taskIds: string[]): AgentFrame => ({ v, type: 'tasks-accepted', taskIds });
const resultOf = (taskId: string, result = done): AgentFrame => ({ v, type: 'task-result', taskId, result });
const progressOf = (taskId: string, step: string): AgentFrame => ({
  v,
  type: 'task-progress',
  taskId,
  progress: { step, done: 1, total: 2 },
});

/** An agent that takes tasks. */
const joinLane = async (identity: AgentIdentity, taskJournal?: string): Promise<SocketAgent> => {
  const agent = await joinSocket(api.port, identity);
  agent.send(machine(taskJournal));
  await eventually(() => expect(api.tasks.machineOf(identity.serverId).takesTasks).toBe(true));
  return agent;
};
const stateOf = async ({ serverId }: AgentIdentity, id: string) => (await api.tasks.get(serverId, id))?.state;

// Guarantee: a task goes from waiting to done, each step is kept, and the agent is told that its result is.
test('the life of a task', async () => {
  const identity = await newIdentity();
  const { serverId } = identity;
  const id = await api.tasks.start(database.db, serverId, start, how);
  expect(await stateOf(identity, id)).toBe('waiting');
  using agent = await joinLane(identity);
  expect(await agent.next('task')).toMatchObject({ id, task: start });
  await eventually(async () => expect(await stateOf(identity, id)).toBe('sent'));
  agent.send(accepted(id));
  await eventually(async () => expect(await stateOf(identity, id)).toBe('accepted'));
  agent.send(progressOf(id, 'half'));
  await eventually(async () => expect(await stateOf(identity, id)).toBe('running'));
  agent.send(resultOf(id));
  expect(await agent.next('tasks-received')).toEqual({ v, type: 'tasks-received', taskIds: [id] });
  expect(await api.tasks.get(serverId, id)).toMatchObject({
    state: 'done',
    result: done,
    progress: { step: 'half' },
    createdByName: testOwner.name,
  });
});

// Guarantee: a caller that runs a task hears of its progress and gets its result.
test('running a task', async () => {
  const identity = await newIdentity();
  using agent = await joinLane(identity);
  const steps: string[] = [];
  const running = api.tasks.run(identity.serverId, start, {
    ...how,
    onProgress: ({ step }) => steps.push(step),
  });
  const { id } = await agent.next('task');
  for (const step of ['one', 'two']) agent.send(progressOf(id, step));
  agent.send(resultOf(id));
  expect(await running).toMatchObject(done);
  expect(steps).toEqual(['one', 'two']);
});

// Guarantee: an unaccepted task is sent again to the next connection, an accepted one is reported as such, and nothing
// is sent before the agent opens the lane.
test('another connection', async () => {
  const identity = await newIdentity();
  using first = await joinLane(identity);
  const ids: string[] = [];
  for (const _ of [1, 2]) {
    ids.push(await api.tasks.start(database.db, identity.serverId, start, how));
    await first.next('task');
  }
  first.send(accepted(ids[0] ?? ''));
  await eventually(async () => expect(await stateOf(identity, ids[0] ?? '')).toBe('accepted'));
  using second = await joinSocket(api.port, identity);
  second.heartbeat(0);
  await second.next('ack');
  expect(second.frames.some(({ type }) => type === 'task')).toBe(false);
  second.send(machine());
  expect(await second.next('task')).toMatchObject({ id: ids[0], accepted: true });
  expect(await second.next('task')).not.toHaveProperty('accepted');
});

// Guarantee: the API's death loses no task and no result: the next process sends tasks without a result, and takes the results.
test('another process of the API', async () => {
  const identity = await newIdentity();
  const { serverId } = identity;
  const before = await startTestGateway({ database, servers });
  const id = await before.tasks.start(database.db, serverId, start, how);
  using early = await joinSocket(before.port, identity);
  early.send(machine());
  await early.next('task');
  early.send(accepted(id));
  await eventually(async () => expect((await before.tasks.get(serverId, id))?.state).toBe('accepted'));
  await before.kill();
  await using after = await startTestGateway({ database, servers });
  using late = await joinSocket(after.port, identity);
  late.send(machine());
  expect(await late.next('task')).toMatchObject({ id, accepted: true });
  late.send(resultOf(id));
  await late.next('tasks-received');
  expect(await after.tasks.get(serverId, id)).toMatchObject({ state: 'done', result: done });
  await before[Symbol.asyncDispose]();
});

// Guarantee: for an agent with another memory, sent tasks are `unknown` and not sent again; a result that still comes is kept.
test('another memory', async () => {
  const identity = await newIdentity();
  using first = await joinLane(identity, 'first');
  const lost = api.tasks.run(identity.serverId, start, how);
  const { id } = await first.next('task');
  using second = await joinSocket(api.port, identity);
  second.send(machine('second'));
  expect(await lost).toMatchObject({ outcome: 'unknown' });
  second.send(resultOf(id));
  await second.next('tasks-received');
  expect(await api.tasks.get(identity.serverId, id)).toMatchObject({ result: done });
  second.send(resultOf(id, { ...done, outcome: 'failed' }));
  await second.next('tasks-received');
  expect(await api.tasks.get(identity.serverId, id)).toMatchObject({ result: done });
  expect(second.frames.some(({ type }) => type === 'task')).toBe(false);
});

// Guarantee: the tasks of a replaced agent are `unknown`, and nothing of its machine is shown any more.
test('a replaced agent', async () => {
  const identity = await newIdentity();
  using agent = await joinLane(identity);
  const lost = api.tasks.run(identity.serverId, start, how);
  await agent.next('task');
  await api.gateway.replace(identity.serverId, { actor: testOwner, address: '' });
  expect(await lost).toMatchObject({ outcome: 'unknown' });
  expect(api.tasks.machineOf(identity.serverId)).toEqual({ machine: null, process: null, takesTasks: false });
});

// Guarantee: a task that no agent took in time is `expired` and never goes out.
test('too late', async () => {
  const identity = await newIdentity();
  expect(await api.tasks.run(identity.serverId, start, { ...how, expiresInMs: 50 })).toMatchObject({
    outcome: 'expired',
  });
  using agent = await joinLane(identity);
  const id = await api.tasks.start(database.db, identity.serverId, start, how);
  expect(await agent.next('task')).toMatchObject({ id });
});

// Guarantee: a cancelled task that waits is never sent; if it was sent, the agent is told, and its report of the end counts.
test('cancelling', async () => {
  const identity = await newIdentity();
  const { serverId } = identity;
  const waiting = new AbortController();
  const never = api.tasks.run(serverId, start, { ...how, signal: waiting.signal });
  waiting.abort();
  expect(await never).toMatchObject({ outcome: 'cancelled' });
  using agent = await joinLane(identity);
  const stopping = new AbortController();
  const running = api.tasks.run(serverId, start, { ...how, signal: stopping.signal });
  const { id } = await agent.next('task');
  stopping.abort();
  expect(await agent.next('task-cancel')).toEqual({ v, type: 'task-cancel', id });
  agent.send(resultOf(id));
  expect(await running).toMatchObject(done);
  expect(await api.tasks.get(serverId, id)).toMatchObject({ cancelled: true, result: done });
  expect(agent.frames.filter(({ type }) => type === 'task').length).toBe(1);
});

// Guarantee: the same holds for polling: a task is sent again until it is accepted, even from a process of the API that
// the agent never told about its machine.
test('polling', async () => {
  const identity = await newIdentity();
  const { serverId } = identity;
  const id = await api.tasks.start(database.db, serverId, start, how);
  const tasksIn = (frames: readonly ApiFrame[]) =>
    frames.flatMap((frame) => (frame.type === 'task' ? [frame] : []));
  const asked = async (port: number, frames: AgentFrame[] = []) =>
    framesOf(await poll(port, identity, { frames }));
  await eventually(async () => expect(tasksIn(await asked(api.port, [machine()]))).toMatchObject([{ id }]));
  await eventually(async () => expect(tasksIn(await asked(api.port))).toMatchObject([{ id }]));
  await using after = await startTestGateway({ database, servers });
  await eventually(async () => expect(tasksIn(await asked(after.port))).toMatchObject([{ id }]));
  expect(tasksIn(await asked(after.port, [accepted(id)]))).toEqual([]);
  expect(await asked(after.port, [resultOf(id)])).toContainEqual({
    v,
    type: 'tasks-received',
    taskIds: [id],
  });
});

// Guarantee: an agent's report about its machine survives the API's death with its time, and its process is shown as
// present only while the agent is there.
test('machine and process', async () => {
  const identity = await newIdentity();
  const { serverId } = identity;
  const agent = await joinLane(identity);
  agent.send({ v, type: 'process', process: report });
  await eventually(() =>
    expect(api.tasks.machineOf(serverId)).toMatchObject({
      machine: { facts },
      process: { isCurrent: true, report },
    }),
  );
  agent.socket.close();
  await eventually(() => expect(api.tasks.machineOf(serverId).process?.isCurrent).toBe(false));
  await eventually(async () => {
    await using after = await startTestGateway({ database, servers });
    expect(after.tasks.machineOf(serverId)).toMatchObject({
      machine: { facts },
      process: { isCurrent: false, report },
    });
  });
});

// Guarantee: the audit log names who cancels a task in the panel, once however often it is cancelled.
test('a cancel is audited', async () => {
  const { serverId } = await newIdentity();
  const id = await api.tasks.start(database.db, serverId, start, how);
  const by = { actor: testOwner, address: '127.0.0.1' };
  for (const _ of [1, 2])
    expect(await api.tasks.cancel(serverId, id, by)).toMatchObject({ result: { outcome: 'cancelled' } });
  expect(await api.tasks.cancel(serverId, 'none', by)).toBeNull();
  const { rows } = await database.pool.query(
    `select after from audit_logs where action = 'agents.cancel-task' and target = $1`,
    [`server:${serverId}`],
  );
  expect(rows).toMatchObject([{ after: { id, kind: 'power' } }]);
});
