import { expect, test } from 'vitest';
import { type AgentFrame, agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import type { AgentTask, ProcessReport, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import {
  type AgentIdentity,
  connectSocket,
  framesOf,
  joinSocket,
  poll,
  type SocketAgent,
} from './testing/scripted-agent.ts';
import { toldMachine, toldProcess } from './testing/told-machine.ts';

const v = 1 as const;
const { api, database, newIdentity } = await gatewayForThisFile();

const facts = toldMachine;
const report: ProcessReport = { ...toldProcess, pid: 1, upMs: 1 };
const start: AgentTask = { kind: 'power', action: 'start', countdown: null };
const how = { by: testOwner, expiresInMs: 60_000 };
const done: TaskResult = { outcome: 'done', detail: null, value: null };
const machine: AgentFrame = { v, type: 'machine', taskJournal: 'memory', machine: facts };
const resultOf = (taskId: string, result = done): AgentFrame => ({ v, type: 'task-result', taskId, result });

interface Party extends Disposable {
  readonly identity: AgentIdentity;
  readonly agent: SocketAgent;
  /** Sent, but not accepted. */
  readonly taskId: string;
}
const join = async (): Promise<Party> => {
  const identity = await newIdentity();
  const agent = await joinSocket(api.port, identity);
  agent.send(machine);
  const taskId = await api.tasks.start(database.db, identity.serverId, start, how);
  await agent.next('task');
  return { identity, agent, taskId, [Symbol.dispose]: () => agent[Symbol.dispose]() };
};
const taskOf = ({ identity, taskId }: Party) => api.tasks.get(identity.serverId, taskId);
/** When this is answered, everything said before it has been processed. */
const settle = async ({ agent }: Party) => {
  const id = `settled-${Math.random()}`;
  agent.send(resultOf(id));
  await eventually(() =>
    expect(agent.frames.some((frame) => frame.type === 'tasks-received' && frame.taskIds[0] === id)).toBe(
      true,
    ),
  );
};
const sayRaw = ({ agent }: Party, said: unknown) => agent.socket.send(JSON.stringify(said));

interface Attack {
  readonly name: string;
  /** The code with which the connection ends; null: it stays open. */
  readonly closed: number | null;
  attack(attacker: Party, victim: Party): void | Promise<void>;
}

const attacks: readonly Attack[] = [
  {
    name: "the result of another server's task",
    closed: null,
    attack: ({ agent }, { taskId }) => agent.send(resultOf(taskId)),
  },
  {
    name: "accepting another server's task",
    closed: null,
    attack: ({ agent }, { taskId }) => agent.send({ v, type: 'tasks-accepted', taskIds: [taskId] }),
  },
  {
    name: "progress of another server's task",
    closed: null,
    attack: ({ agent }, { taskId }) =>
      agent.send({ v, type: 'task-progress', taskId, progress: { step: 'x', done: 1, total: 1 } }),
  },
  {
    name: "the API's own frame to cancel another server's task",
    closed: null,
    attack: (attacker, { taskId }) => sayRaw(attacker, { v, type: 'task-cancel', id: taskId }),
  },
  {
    name: 'a task, as if from the API',
    closed: null,
    attack: (attacker) => sayRaw(attacker, { v, type: 'task', id: 'x', task: start, expiresInMs: 1 }),
  },
  {
    name: 'another memory, to have tasks forgotten',
    closed: null,
    attack: ({ agent }) => agent.send({ v, type: 'machine', taskJournal: 'other', machine: facts }),
  },
  {
    name: 'a result that is none of the outcomes',
    closed: agentCloseCodes.badFrame,
    attack: (attacker) =>
      sayRaw(attacker, { ...resultOf(attacker.taskId), result: { ...done, outcome: 'won' } }),
  },
  {
    name: 'a detail that is too long',
    closed: agentCloseCodes.badFrame,
    attack: ({ agent, taskId }) => agent.send(resultOf(taskId, { ...done, detail: 'x'.repeat(2001) })),
  },
  {
    name: 'a frame that is too large',
    closed: 1009,
    attack: ({ agent, taskId }) =>
      agent.send(resultOf(taskId, { ...done, value: { x: 'x'.repeat(600_000) } })),
  },
  {
    name: 'a value nested deep enough to exhaust the stack',
    closed: agentCloseCodes.badFrame,
    attack: ({ agent, taskId }) =>
      agent.socket.send(
        JSON.stringify(resultOf(taskId, { ...done, value: { x: null } })).replace(
          '"x":null',
          `"x":${'['.repeat(20_000)}${']'.repeat(20_000)}`,
        ),
      ),
  },
  {
    name: 'a value of more parts than any task finds',
    closed: agentCloseCodes.badFrame,
    attack: ({ agent, taskId }) =>
      agent.send(resultOf(taskId, { ...done, value: { x: Array.from({ length: 20_001 }, () => 1) } })),
  },
  {
    name: 'a value larger than an agent may send by itself',
    closed: agentCloseCodes.badFrame,
    attack: ({ agent, taskId }) =>
      agent.send(resultOf(taskId, { ...done, value: { x: 'x'.repeat(140_000) } })),
  },
  {
    name: 'a step that is too long',
    closed: agentCloseCodes.badFrame,
    attack: ({ agent, taskId }) =>
      agent.send({
        v,
        type: 'task-progress',
        taskId,
        progress: { step: 'x'.repeat(201), done: 1, total: null },
      }),
  },
  {
    name: 'negative progress',
    closed: agentCloseCodes.badFrame,
    attack: ({ agent, taskId }) =>
      agent.send({ v, type: 'task-progress', taskId, progress: { step: 'x', done: -1, total: null } }),
  },
  {
    name: 'more ids than a frame may have',
    closed: agentCloseCodes.badFrame,
    attack: ({ agent }) =>
      agent.send({ v, type: 'tasks-accepted', taskIds: Array.from({ length: 101 }, (_, id) => `${id}`) }),
  },
  {
    name: 'a state that no process has',
    closed: agentCloseCodes.badFrame,
    attack: (attacker) => sayRaw(attacker, { v, type: 'process', process: { ...report, state: 'happy' } }),
  },
  {
    name: 'a crash report without an end',
    closed: agentCloseCodes.badFrame,
    attack: ({ agent }) =>
      agent.send({
        v,
        type: 'process',
        process: {
          ...report,
          lastCrash: { ageMs: 1, exitCode: 1, signal: null, lines: Array.from({ length: 51 }, () => 'x') },
        },
      }),
  },
  {
    name: 'a flood of progress',
    closed: agentCloseCodes.tooMany,
    attack({ agent, taskId }) {
      for (let done = 0; done < 1001; done += 1)
        agent.send({ v, type: 'task-progress', taskId, progress: { step: 'x', done, total: null } });
    },
  },
];

// Guarantee: nothing that an agent says affects another server's task or what is reported about that server's machine.
test.each(attacks)('$name', async ({ closed, attack }) => {
  using victim = await join();
  using attacker = await join();
  victim.agent.send({ v, type: 'process', process: report });
  await eventually(() => expect(api.tasks.machineOf(victim.identity.serverId).process).not.toBeNull());
  const before = [await taskOf(victim), api.tasks.machineOf(victim.identity.serverId)];
  await attack(attacker, victim);
  if (closed === null) await settle(attacker);
  else expect(await attacker.agent.closed).toMatchObject({ code: closed });
  expect([await taskOf(victim), api.tasks.machineOf(victim.identity.serverId)]).toEqual(before);
  victim.agent.send(resultOf(victim.taskId));
  await eventually(async () => expect(await taskOf(victim)).toMatchObject({ state: 'done', result: done }));
});

// Guarantee: a task that was never sent has no result, no matter what its agent says.
test('a result before the task was sent', async () => {
  using party = await join();
  party.agent.socket.terminate();
  await eventually(() => expect(api.tasks.machineOf(party.identity.serverId).takesTasks).toBe(false));
  const id = await api.tasks.start(database.db, party.identity.serverId, start, how);
  using agent = await joinSocket(api.port, party.identity);
  agent.send(resultOf(id));
  await agent.next('tasks-received');
  expect((await api.tasks.get(party.identity.serverId, id))?.state).toBe('waiting');
});

// Guarantee: the first result stays, even when one is replayed or contradicts it, and nothing reopens a task that is done.
test('after the result', async () => {
  using party = await join();
  party.agent.send(resultOf(party.taskId));
  await settle(party);
  const kept = await taskOf(party);
  for (const outcome of ['done', 'failed', 'unknown'] as const)
    party.agent.send(resultOf(party.taskId, { ...done, outcome }));
  party.agent.send({ v, type: 'tasks-accepted', taskIds: [party.taskId] });
  party.agent.send({
    v,
    type: 'task-progress',
    taskId: party.taskId,
    progress: { step: 'x', done: 1, total: 1 },
  });
  await settle(party);
  expect(await taskOf(party)).toEqual(kept);
});

// Guarantee: an agent that has not proven itself cannot report on tasks, and neither can a connection that was superseded or replaced.
test('without a right to speak', async () => {
  using stranger = await connectSocket(api.port);
  stranger.send(machine);
  expect((await stranger.closed).code).toBe(agentCloseCodes.badFrame);
  using party = await join();
  using newer = await joinSocket(api.port, party.identity);
  party.agent.send(resultOf(party.taskId));
  await party.agent.closed;
  newer.send(machine);
  expect(await newer.next('task')).toMatchObject({ id: party.taskId });
  await api.gateway.replace(party.identity.serverId, { actor: testOwner, address: '' });
  newer.send(resultOf(party.taskId));
  await newer.closed;
  expect(await taskOf(party)).toMatchObject({ result: { outcome: 'unknown' } });
  expect(api.tasks.machineOf(party.identity.serverId).machine).toBeNull();
});

// Guarantee: text that no database stores breaks nothing.
test('texts that cannot be kept', async () => {
  using party = await join();
  party.agent.send(resultOf(party.taskId, { ...done, detail: 'a\0b', value: { '\0': '\ud800' } }));
  await eventually(async () => expect((await taskOf(party))?.result?.detail).toBe('a\ufffdb'));
});

// Guarantee: the frames of a poll cost nothing before its hello is proven, and a frame that no schema fits ends only the poll.
test('frames of a poll', async () => {
  using party = await join();
  const stranger = { ...party.identity, secret: 'of-another-api' };
  const deep = { v, type: 'task-result', taskId: 'x', result: { ...done, value: { x: nested(400) } } };
  const frames = [...Array.from({ length: 150 }, () => ({})), deep] as unknown as AgentFrame[];
  expect(await poll(api.port, stranger, { frames })).toMatchObject({
    status: 401,
    json: { code: 'AGENT_PROOF_WRONG' },
  });
  expect(await poll(api.port, party.identity, { frames })).toMatchObject({ status: 400 });
  expect(framesOf(await poll(api.port, party.identity))[0]).toMatchObject({ type: 'welcome' });
});

const nested = (depth: number): unknown => (depth === 0 ? null : [nested(depth - 1)]);
