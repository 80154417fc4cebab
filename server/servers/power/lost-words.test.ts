import { expect, test } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { agentTasksHttp } from '#contracts/servers/agent-tasks-http.ts';
import { type PowerRequest, powerHttp } from '#contracts/servers/power.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { testDesktopCredential as desktop } from '../../kernel/testing/test-api.ts';
import { joinPowerAgent, machineThatAllows } from './testing/power-agent.ts';

const running = apiForThisFile();

const read = async (serverId: string) =>
  (await call(running().port, powerHttp.read, { as: desktop, params: { serverId } })).json;
const act = (serverId: string, body: PowerRequest, headers: Record<string, string> = {}) =>
  call(running().port, powerHttp.act, { as: desktop, params: { serverId }, body, headers });
const join = async () => {
  const { port, api } = running();
  const serverId = await newServer(port);
  await eventually(() => expect(api.context.servers.directory.get(serverId)).not.toBeNull());
  const agent = await joinPowerAgent(port, serverId);
  await eventually(async () => expect((await read(serverId)).process).toBeTruthy());
  return { serverId, agent };
};
/** The state of an act when the reply to its commit did not reach the API. @returns its id */
const unheardAct = (serverId: string) => {
  const { context } = running().api;
  return context.database.db.transaction().execute(async (trx) => {
    const how = { by: testOwner, expiresInMs: 30_000 };
    const task = { kind: 'power', action: 'start', countdown: null } as const;
    const id = await context.servers.tasks.start(trx, serverId, task, how);
    await trx
      .insertInto('power_acts')
      .values({
        id,
        server_id: serverId,
        action: 'start',
        countdown_seconds: 0,
        actor: 'admin:owner-1',
        actor_name: 'Owner',
        address: '',
        idempotency_key: null,
      })
      .execute();
    return id;
  });
};

// Guarantee: an act in the database ends as its agent reports, even if the reply to its commit was lost.
test('an act of which no word came', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const id = await unheardAct(serverId);
  expect((await agent.nextTask()).id).toBe(id);
  agent.end(id, 'done');
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({ act: null, lastAct: { id, outcome: 'done' } }),
  );
});

// Guarantee: an act that has already ended, unnoticed, does not keep the next one from beginning.
test('another act after it', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const id = await unheardAct(serverId);
  await agent.nextTask();
  agent.end(id, 'done');
  const { tasks } = running().api.context.servers;
  await eventually(async () => expect((await tasks.get(serverId, id))?.result).not.toBeNull());
  expect((await act(serverId, { action: 'stop' })).status).toBe(200);
  expect(await read(serverId)).toMatchObject({ lastAct: { id, outcome: 'done' } });
});

// Guarantee: an act whose result was unknown takes the result that its agent reports later, and the audit log has both.
test('an end that comes late', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  await act(serverId, { action: 'start' });
  const { id } = await agent.nextTask();
  agent.send({ v: 1, type: 'machine', taskJournal: 'another memory', machine: machineThatAllows });
  await eventually(async () => expect((await read(serverId)).lastAct).toMatchObject({ outcome: 'unknown' }));
  agent.end(id, 'done', 'It runs.');
  await eventually(async () =>
    expect((await read(serverId)).lastAct).toMatchObject({ id, outcome: 'done', detail: 'It runs.' }),
  );
  const { json } = await call(running().port, auditHttp.list, { as: desktop });
  const ends = (json.rows as { action: string; after: { act?: string; outcome?: string } }[])
    .filter(({ action, after }) => action === 'servers.power-ended' && after.act === id)
    .map(({ after }) => after.outcome);
  expect(ends.toReversed()).toEqual(['unknown', 'done']);
});

// Guarantee: the same request with the same key is the same act, even if it names a countdown that its action does not have.
test('a start with a countdown, twice', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const ask = () => act(serverId, { action: 'start', countdownSeconds: 60 }, { 'Idempotency-Key': 'k1' });
  const first = await ask();
  const second = await ask();
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.json.id).toBe(first.json.id);
  const { json } = await act(serverId, { action: 'stop' }, { 'Idempotency-Key': 'k1' });
  expect(json.code).toBe('IDEMPOTENCY_MISMATCH');
});

// Guarantee: an act is cancelled only by its own endpoint, once, even if someone tries through the tasks.
test('cancelling an act', async () => {
  const { port } = running();
  const { serverId, agent } = await join();
  using _ = agent;
  const id = String((await act(serverId, { action: 'stop', countdownSeconds: 60 })).json.id);
  await agent.nextTask();
  const byTask = await call(port, agentTasksHttp.cancel, { as: desktop, params: { serverId, id } });
  expect(byTask.json.code).toBe('FORBIDDEN');
  expect(await read(serverId)).toMatchObject({ act: { id, isCancelled: false } });
  expect(agent.cancelled).toEqual([]);
  const cancel = () => call(port, powerHttp.cancel, { as: desktop, params: { serverId, actId: id } });
  for (let time = 0; time < 3; time += 1) expect((await cancel()).json).toMatchObject({ isCancelled: true });
  const { json } = await call(port, auditHttp.list, { as: desktop });
  const told = (json.rows as { action: string; after: { act?: string } }[]).filter(
    ({ action, after }) => action === 'servers.power-cancelled' && after.act === id,
  );
  expect(told).toHaveLength(1);
});
