import { expect, test } from 'vitest';
import type { AgentFrame } from '#contracts/servers/agent-protocol.ts';
import type { AgentTask, MachineFacts, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import { type AgentIdentity, framesOf, joinSocket, poll } from './testing/scripted-agent.ts';
import { startTestGateway } from './testing/test-gateway.ts';
import { toldMachine, toldProcess } from './testing/told-machine.ts';

const v = 1 as const;
const { api, database, servers, newIdentity } = await gatewayForThisFile();

const facts: MachineFacts = {
  ...toldMachine,
  allows: { ...toldMachine.allows, power: true },
  tasks: ['power'],
};
const report = toldProcess;
const stop: AgentTask = { kind: 'power', action: 'stop', countdown: null };
const how = { by: testOwner, expiresInMs: 60_000 };
const done: TaskResult = { outcome: 'done', detail: null, value: null };
const machine: AgentFrame = { v, type: 'machine', taskJournal: 'memory', machine: facts };
const running: AgentFrame = { v, type: 'process', process: report };

/** Only of this database: others of the run are copies with the same table numbers. */
const lockWaits = `select 1 from pg_locks where not granted
  and database = (select oid from pg_database where datname = current_database())`;
const takesTasks = ({ serverId }: AgentIdentity) =>
  eventually(() => expect(api.tasks.machineOf(serverId).takesTasks).toBe(true));
const rowsOf = async ({ serverId }: AgentIdentity) => (await api.tasks.page(serverId, { limit: 10 })).rows;

// Guarantee: a connection that ended while the database was slow takes the lane from no later one.
test('a connection of before', async () => {
  const identity = await newIdentity();
  const lock = await database.pool.connect();
  await lock.query('begin');
  await lock.query('lock table agent_reports in access exclusive mode');
  const first = await joinSocket(api.port, identity);
  first.send(machine);
  await eventually(async () => {
    const { rows } = await database.pool.query(`${lockWaits} and relation = 'agent_reports'::regclass`);
    expect(rows.length).toBe(1);
  });
  first.socket.close();
  await first.closed;
  using second = await joinSocket(api.port, identity);
  second.send(machine);
  second.send(running);
  await lock.query('rollback');
  lock.release();
  await takesTasks(identity);
  const id = await api.tasks.start(database.db, identity.serverId, stop, how);
  expect(await second.next('task')).toMatchObject({ id });
  await eventually(() =>
    expect(api.tasks.machineOf(identity.serverId).process).toMatchObject({ isCurrent: true }),
  );
});

// Guarantee: what an earlier process of an agent reported about its game is not shown as current before this one has reported it.
test('the process report of before', async () => {
  const identity = await newIdentity();
  const first = await joinSocket(api.port, identity);
  first.send(machine);
  first.send(running);
  const process = () => api.tasks.machineOf(identity.serverId).process;
  await eventually(() => expect(process()?.isCurrent).toBe(true));
  first.socket.close();
  await first.closed;
  using second = await joinSocket(api.port, { ...identity, journal: 'another-process' });
  second.send(machine);
  await takesTasks(identity);
  expect(process()).toMatchObject({ isCurrent: false, report: { state: 'running' } });
  second.send(running);
  await eventually(() => expect(process()?.isCurrent).toBe(true));
});

// Guarantee: what a polling agent reported about its process survives the API's death once its poll is answered, and counts as current.
test('the process of an agent that polls', async () => {
  const identity = await newIdentity();
  await poll(api.port, identity, { frames: [machine, running] });
  await using after = await startTestGateway({ database, servers });
  framesOf(await poll(after.port, identity));
  expect(after.tasks.machineOf(identity.serverId).process).toMatchObject({ isCurrent: true, report });
});

// Guarantee: a task whose caller was told that it could not be written is never sent, even if it is in the database.
test('a task that the database lost the word of', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  agent.send(machine);
  await takesTasks(identity);
  await database.pool.query(`
    create function lose_word() returns trigger language plpgsql as $$
    begin raise exception 'lost %', new.id; end $$;
    create trigger lose_word before insert on agent_tasks for each row execute function lose_word()`);
  const fault = await api.tasks.run(identity.serverId, stop, how).then(String, String);
  await database.pool.query('drop trigger lose_word on agent_tasks');
  const lost = /lost (\w+)/.exec(fault)?.[1];
  // Its row when the commit went through and only the response was lost.
  await database.pool.query(
    `insert into agent_tasks (id, server_id, kind, request, created_by, created_by_name, expires_at)
     values ($1, $2, 'power', $3, '', '', now() + interval '1 minute')`,
    [lost, identity.serverId, JSON.stringify(stop)],
  );
  await eventually(
    async () =>
      expect(await rowsOf(identity)).toMatchObject([{ state: 'done', result: { outcome: 'cancelled' } }]),
    20_000,
  );
  const id = await api.tasks.start(database.db, identity.serverId, stop, how);
  expect(await agent.next('task')).toMatchObject({ id });
  expect(agent.frames.filter(({ type }) => type === 'task').length).toBe(1);
}, 40_000);

// Guarantee: once a server is archived, no one waits for its tasks any more, sent, unsent or in transit; a late result is kept.
test('archiving', async () => {
  const identity = await newIdentity();
  const { serverId } = identity;
  using agent = await joinSocket(api.port, identity);
  agent.send(machine);
  const sent = api.tasks.run(serverId, stop, how);
  const { id } = await agent.next('task');
  const lock = await database.pool.connect();
  await lock.query('begin');
  await lock.query('lock table agent_tasks in share mode');
  const onItsWay = api.tasks.run(serverId, stop, how);
  await eventually(async () => {
    const { rows } = await database.pool.query(`${lockWaits} and relation = 'agent_tasks'::regclass`);
    expect(rows.length).toBe(1);
  });
  api.tasks.endAll(serverId);
  await lock.query('rollback');
  lock.release();
  expect(await sent).toMatchObject({ outcome: 'unknown' });
  expect(await onItsWay).toMatchObject({ outcome: 'cancelled' });
  await eventually(async () =>
    expect((await rowsOf(identity)).map(({ state }) => state)).toEqual(['done', 'done']),
  );
  agent.send({ v, type: 'task-result', taskId: id, result: done });
  await agent.next('tasks-received');
  expect(await api.tasks.get(serverId, id)).toMatchObject({ result: done });
});

// Guarantee: a task that was ended in the database, as by another process or the retention, is not sent to an agent
// that comes back, and its caller gets the stored result.
test('ended elsewhere', async () => {
  const identity = await newIdentity();
  const waiting = api.tasks.run(identity.serverId, stop, how);
  await eventually(async () => expect((await rowsOf(identity)).length).toBe(1));
  await database.pool.query(
    `update agent_tasks set state = 'done', done_at = now(), result = $2 where server_id = $1`,
    [identity.serverId, JSON.stringify({ ...done, outcome: 'cancelled' })],
  );
  using agent = await joinSocket(api.port, identity);
  agent.send(machine);
  expect(await waiting).toMatchObject({ outcome: 'cancelled' });
  const id = await api.tasks.start(database.db, identity.serverId, stop, how);
  expect(await agent.next('task')).toMatchObject({ id });
}, 20_000);

// Guarantee: lines of a game's console are kept only for the caller that asked for them.
test('what was found in the console', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  agent.send(machine);
  const search: AgentTask = { kind: 'console-history', before: null, search: 'secret', limit: 1 };
  const asked = api.tasks.run(identity.serverId, search, how);
  const { id } = await agent.next('task');
  agent.send({ v, type: 'task-result', taskId: id, result: { ...done, value: { lines: ['secret'] } } });
  expect(await asked).toMatchObject({ value: { lines: ['secret'] } });
  await eventually(async () =>
    expect((await api.tasks.get(identity.serverId, id))?.result).toEqual({ ...done, value: null }),
  );
});

// Guarantee: a new process of an agent whose numbering of events continues is told apart from the previous one: its
// memory is in doubt, and no event is taken twice.
test('a numbering that goes on', async () => {
  const identity = { ...(await newIdentity()), journal: 'held/first' };
  const { serverId } = identity;
  const said = (...numbers: number[]): AgentFrame => ({
    v,
    type: 'events',
    events: numbers.map((number) => ({
      number,
      kind: 'join',
      player: { name: 'x', platformId: null },
      text: null,
      ageMs: 0,
    })),
  });
  const numbers = () =>
    api.observed.events.filter((event) => event.serverId === serverId).map(({ number }) => number);
  const first = await joinSocket(api.port, identity);
  first.send({ v, type: 'command-journal', journal: 'memory' });
  first.send(said(1, 2));
  await eventually(() => expect(numbers()).toEqual([1, 2]));
  expect(await first.next('ack')).toMatchObject({ events: 2 });
  first.socket.close();
  await first.closed;
  using second = await joinSocket(api.port, { ...identity, journal: 'held/second' });
  await eventually(() => expect(api.gateway.connectionOf(serverId)).toBeNull());
  second.send({ v, type: 'command-journal', journal: 'memory' });
  await eventually(() => expect(api.gateway.connectionOf(serverId)).not.toBeNull());
  second.send(said(2, 3));
  await eventually(() => expect(numbers()).toEqual([1, 2, 3]));
  using third = await joinSocket(api.port, { ...identity, journal: 'other/third' });
  third.send(said(1));
  await eventually(() => expect(numbers()).toEqual([1, 2, 3, 1]));
});
