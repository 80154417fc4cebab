import { expect, test } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { queuesHttp } from '#contracts/operations/queues.ts';
import type { InstalledMod, ModsList } from '#contracts/servers/agent-mods.ts';
import { agentTasksHttp } from '#contracts/servers/agent-tasks-http.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, newServer, person } from '../../kernel/testing/call.ts';
import { testDesktopCredential as desktop, startTestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { changedTo, joinModsAgent, type ModsAgentOptions } from '../testing/mods-agent.ts';
import { emptyList } from '../testing/sample-mods.ts';

const running = apiForThisFile();

const modNamed = (name: string): InstalledMod => ({
  key: `address:${name}`,
  source: 'address',
  project: null,
  version: null,
  name,
  versionName: null,
  form: 'file',
  folder: 'mods',
  file: {
    name: `${name}.jar`,
    bytes: 10,
    hashes: {},
    from: { kind: 'address', url: `https://files.example/${name}.jar`, key: null },
  },
  byName: 'Ada',
  since: '2026-01-01T00:00:00Z',
  files: [{ path: `mods/${name}.jar`, bytes: 10 }],
  fileCount: 1,
  changedFiles: [],
  metadata: null,
});
const listWith = (...names: string[]): ModsList => ({ ...emptyList, installed: names.map(modNamed) });
const removing = (name: string): ChangeWish => ({ do: 'remove', key: `address:${name}` });

const read = async (serverId: string, port = running().port, as: string = desktop) =>
  (await call(port, modsHttp.read, { as, params: { serverId } })).json;
const plan = (serverId: string, ...wishes: ChangeWish[]) =>
  call(running().port, modsHttp.plan, { as: desktop, params: { serverId }, body: { wishes } });
const begin = (serverId: string, planId: unknown, key = '', as: string = desktop) =>
  call(running().port, modsHttp.begin, {
    as,
    params: { serverId },
    body: { plan: String(planId) },
    ...(key !== '' && { headers: { 'Idempotency-Key': key } }),
  });
const cancel = (serverId: string, jobId: unknown) =>
  call(running().port, modsHttp.cancel, { as: desktop, params: { serverId, jobId: String(jobId) } });
const pause = (paused: boolean) =>
  call(running().port, queuesHttp.pause, { as: desktop, params: { name: 'mods' }, body: { paused } });
const join = async (options: ModsAgentOptions = {}) => {
  const serverId = await newServer(running().port);
  const agent = await joinModsAgent(running().port, serverId, { list: listWith('one', 'two'), ...options });
  await eventually(async () => expect(await read(serverId)).toMatchObject({ list: { revision: 1 } }));
  return { serverId, agent };
};
const planned = async (serverId: string, ...wishes: ChangeWish[]) => {
  const made = await plan(serverId, ...wishes);
  expect(made.status, made.text).toBe(200);
  return String(made.json.id);
};
const lastJob = (serverId: string, state: string, port = running().port) =>
  eventually(async () => {
    const now = await read(serverId, port);
    expect(now).toMatchObject({ job: null, lastJob: { state } });
    return now.lastJob as Record<string, unknown>;
  });
const audited = async (serverId: string) => {
  const { json } = await call(running().port, auditHttp.list, { as: desktop });
  return (json.rows as { action: string; target: string }[])
    .filter(({ target, action }) => target === `server:${serverId}` && action.startsWith('mods.'))
    .map(({ action }) => action)
    .reverse();
};
const told = async (serverId: string) => {
  const rows = await running()
    .api.context.database.db.selectFrom('event_logs')
    .select('kind')
    .where('server_id', '=', serverId)
    .where('kind', 'like', 'mods.%')
    .orderBy('id')
    .execute();
  return rows.map(({ kind }) => kind);
};

// Guarantee: a change goes to the agent once, as planned; its end is shown, reported and audited once, and a job that
// restores the previous state undoes it.
test('a change from its plan to its undoing', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const made = await plan(serverId, removing('one'));
  expect(made.json).toMatchObject({ lines: [{ change: 'remove', key: 'address:one' }], faults: [] });
  const begun = await begin(serverId, made.json.id);
  expect(begun.status, begun.text).toBe(200);
  const task = await agent.nextChange();
  expect(task).toMatchObject({ id: begun.json.id, change: { base: 1, put: [], remove: ['address:one'] } });
  agent.power.progress(task.id, { step: 'swap', done: 1, total: 2 });
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({ job: { state: 'running', progress: { step: 'swap' } } }),
  );
  agent.finish(task);
  await lastJob(serverId, 'done');
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({
      list: { revision: 2, installed: [{ name: 'two' }] },
      lastJob: { canUndo: true, result: { set: 'new', health: 'proven' } },
    }),
  );
  const back = await begin(serverId, await planned(serverId, { do: 'undo', job: String(begun.json.id) }));
  expect(back.status, back.text).toBe(200);
  agent.finish(await agent.nextChange());
  await eventually(async () =>
    expect(((await read(serverId)).list as ModsList).installed.map(({ name }) => name)).toContain('one'),
  );
  await lastJob(serverId, 'done');
  expect(await told(serverId)).toEqual(['mods.changed', 'mods.changed']);
  expect(await audited(serverId)).toEqual(['mods.change', 'mods.ended', 'mods.change', 'mods.ended']);
});

// Guarantee: the same request with the same key is one job, even at the same time; another request with that key is refused.
test('sent twice', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const id = await planned(serverId, removing('one'));
  const all = await Promise.all(Array.from({ length: 5 }, () => begin(serverId, id, 'k1')));
  expect(new Set(all.map(({ json, text }) => json.id ?? text)).size, all.map(({ text }) => text).join()).toBe(
    1,
  );
  const other = await planned(serverId, removing('two'));
  expect((await begin(serverId, other, 'k1')).json.code).toBe('IDEMPOTENCY_MISMATCH');
  agent.finish(await agent.nextChange());
  await lastJob(serverId, 'done');
  expect(agent.changes).toHaveLength(1);
  expect((await begin(serverId, other)).json.code).toBe('MOD_PLAN_OUTDATED');
});

// Guarantee: a job waits while the queue is paused, behind another job and while the agent is away, says so, and is sent
// when that ends; a waiting job is cancelled immediately and never reaches the agent.
test('waiting', async () => {
  const { serverId, agent } = await join();
  await pause(true);
  const first = await begin(serverId, await planned(serverId, removing('one')));
  const second = await begin(serverId, await planned(serverId, removing('two')));
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({ job: { id: first.json.id, waitsFor: 'queue' } }),
  );
  const jobs = await call(running().port, queuesHttp.jobs, { as: desktop, params: { name: 'mods' } });
  expect((jobs.json.rows as { id: string }[]).map(({ id }) => id)).toContain(first.json.id);
  expect((await cancel(serverId, second.json.id)).json).toMatchObject({ state: 'cancelled' });
  expect(agent.changes).toEqual([]);
  agent[Symbol.dispose]();
  await pause(false);
  await eventually(async () => expect(await read(serverId)).toMatchObject({ job: { waitsFor: 'agent' } }));
  using again = await joinModsAgent(running().port, serverId, {
    identity: agent.power.identity,
    list: listWith('one', 'two'),
  });
  again.finish(await again.nextChange());
  await lastJob(serverId, 'done');
  expect(again.changes).toHaveLength(1);
});

// Guarantee: what a hostile agent claims ends the job and breaks nothing; a claim without proof is not believed.
test('hostile results', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const ends: [unknown, string, string][] = [
    [null, 'done', 'unknown'],
    [{ set: 'mine' }, 'done', 'unknown'],
    [{ ...changedTo(-1) }, 'done', 'unknown'],
    [{ ...changedTo(1, { set: 'old', isRolledBack: true, health: 'failed' }) }, 'failed', 'failed'],
    [{ ...changedTo(1, { set: 'old' }) }, 'done', 'failed'],
    [{ ...changedTo(1), lines: ['\u001B[2J\0\u202E'], notes: [] }, 'failed', 'failed'],
  ];
  for (const [value, outcome, state] of ends) {
    const begun = await begin(serverId, await planned(serverId, removing('one')));
    const { id } = await agent.nextChange();
    agent.power.end('another', 'done', null, { ...changedTo(9) });
    agent.power.end(id, outcome as 'done', 'Why.', value as Record<string, unknown> | null);
    // The change before it may have ended in the same way.
    await eventually(async () => expect(await lastJob(serverId, state)).toMatchObject({ id: begun.json.id }));
  }
  expect(await told(serverId)).toContain('mods.rolled-back');
});

// Guarantee: an answer that is not a list is not kept, and nothing is planned from it.
test.each([
  { revision: 'all' },
  {},
  { ...emptyList, installed: [{ key: '../x' }] },
  { ...emptyList, revision: -1 },
])('a hostile list: %j', async (list) => {
  const serverId = await newServer(running().port);
  using _ = await joinModsAgent(running().port, serverId, { list });
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({ isAgentPresent: true, obstacle: null }),
  );
  expect((await plan(serverId, removing('one'))).json.code).toBe('MODS_AGENT_AWAY');
  expect(await read(serverId)).toMatchObject({ list: null });
});

// Guarantee: an API that dies in the middle of a job still knows it after the restart, even without pg-boss; the agent's
// result ends the job, and it is sent once.
test('an API that restarts in the middle', async () => {
  const { serverId, agent } = await join();
  const begun = await begin(serverId, await planned(serverId, removing('one')));
  const task = await agent.nextChange();
  agent[Symbol.dispose]();
  await running().api.context.database.pool.query('delete from queue.job');
  await using other = await startTestApi({ databaseUrl: running().databaseUrl, workers: [] });
  await whenInUse(other);
  expect(await read(serverId, other.port)).toMatchObject({ job: { id: begun.json.id, state: 'running' } });
  using again = await joinModsAgent(other.port, serverId, {
    identity: agent.power.identity,
    list: listWith('one', 'two'),
  });
  again.finish(task);
  await lastJob(serverId, 'done', other.port);
  expect(await told(serverId)).toEqual(['mods.changed']);
});

// Guarantee: mods are seen and changed by those who may, per server; a change requires a person with a fresh step-up.
test('who may', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const { token } = await person(running().port, { role: null });
  const as = { as: token, params: { serverId } };
  const { port } = running();
  expect((await call(port, modsHttp.read, as)).json.code).toBe('FORBIDDEN');
  expect((await call(port, modsHttp.plan, { ...as, body: { wishes: [removing('one')] } })).json.code).toBe(
    'FORBIDDEN',
  );
  const id = await planned(serverId, removing('one'));
  expect((await begin(serverId, id, '', token)).json.code).toBe('FORBIDDEN');
  const unproven = await call(port, modsHttp.begin, {
    as: desktop,
    confirmed: false,
    params: { serverId },
    body: { plan: id },
  });
  expect(unproven.json.code).toBe('STEP_UP_REQUIRED');
  const elsewhere = await newServer(port);
  expect((await begin(elsewhere, id)).json.code).toBe('MOD_PLAN_OUTDATED');
  expect((await cancel(serverId, 'another')).json.code).toBe('NOT_FOUND');
  expect(agent.changes).toEqual([]);
});

// Guarantee: what a change contains, such as file addresses, is hidden from those who may not see the mods.
test('the task of a change, as others see it', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const { port } = running();
  const role = await customRole(port, ['servers.read', 'console.read']);
  const { token } = await person(port, { role });
  await begin(serverId, await planned(serverId, removing('one')));
  await agent.nextChange();
  const seenBy = async (as: string) => {
    const { json } = await call(port, agentTasksHttp.list, { as, params: { serverId } });
    const [row] = json.rows as { task: { kind: string; change: { remove: string[] } } }[];
    return row?.task;
  };
  expect(await seenBy(desktop)).toMatchObject({ kind: 'change-mods', change: { remove: ['address:one'] } });
  expect(await seenBy(token)).toMatchObject({ kind: 'change-mods', change: { remove: [] } });
});
