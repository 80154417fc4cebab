import { expect, test } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { agentTasksHttp } from '#contracts/servers/agent-tasks-http.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type SaveRequest, savesHttp } from '#contracts/servers/saves.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { testDesktopCredential as desktop, startTestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { backupNamed, joinSavesAgent, listOf, type SavesAgentOptions } from './testing/saves-agent.ts';

const running = apiForThisFile();
const one = '2026-01-01T04-30-00Z';
const two = '2026-01-02T04-30-00Z';

const read = async (serverId: string, port = running().port) =>
  (await call(port, savesHttp.read, { as: desktop, params: { serverId } })).json;
const act = (serverId: string, body: SaveRequest, key = '') =>
  call(running().port, savesHttp.act, {
    as: desktop,
    params: { serverId },
    body,
    ...(key !== '' && { headers: { 'Idempotency-Key': key } }),
  });
const cancel = (serverId: string, actId: unknown) =>
  call(running().port, savesHttp.cancel, { as: desktop, params: { serverId, actId: String(actId) } });
const join = async (options: SavesAgentOptions = {}) => {
  const { port, api } = running();
  const serverId = await newServer(port);
  const server = await eventually(() => {
    const found = api.context.servers.directory.get(serverId);
    if (!found) throw new Error('not yet');
    return found;
  });
  const agent = await joinSavesAgent(port, serverId, options);
  if (options.machine !== null)
    await eventually(() =>
      expect(api.context.servers.tasks.machineOf(serverId)).toMatchObject({
        takesTasks: true,
        process: { isCurrent: true },
      }),
    );
  return { serverId, agent, name: server.name };
};
const lastAct = (serverId: string, outcome: string) =>
  eventually(async () => {
    const now = await read(serverId);
    expect(now).toMatchObject({ act: null, lastAct: { outcome } });
    return now;
  });
const audited = async (serverId: string) => {
  const { json } = await call(running().port, auditHttp.list, { as: desktop });
  return (json.rows as { action: string; target: string; after: Record<string, unknown> }[])
    .filter(({ target, action }) => target === `server:${serverId}` && action.startsWith('saves.'))
    .reverse()
    .map(({ action, after: { act: _, ...after } }) => [action, after]);
};
const told = async (serverId: string) => {
  const rows = await running()
    .api.context.database.db.selectFrom('event_logs')
    .select(['kind', 'payload'])
    .where('server_id', '=', serverId)
    .where('kind', 'like', 'saves.%')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, payload }) => [kind, payload]);
};

// Guarantee: a backup goes to the agent once, is shown with what the agent reports about it, and is reported and audited once.
test('a backup from its request to its end', async () => {
  const { serverId, agent, name } = await join();
  using _ = agent;
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({
      isAgentPresent: true,
      obstacle: null,
      restoreObstacle: null,
      list: { backups: [], unconfirmed: null, nightly: null, freeBytes: 9_000_000_000 },
      act: null,
      lastAct: null,
    }),
  );
  const begun = await act(serverId, { action: 'backup' });
  expect([begun.status, begun.json.backup]).toEqual([200, null]);
  const task = await agent.nextTask();
  expect(task).toMatchObject({ id: begun.json.id, task: { kind: 'backup-saves' } });
  agent.power.progress(task.id, { step: 'Copying the saves', done: 1, total: 2 });
  await eventually(async () =>
    expect((await read(serverId)).act).toMatchObject({ progress: { step: 'Copying the saves' } }),
  );
  agent.list = listOf(one);
  agent.power.end(task.id, 'done', null, { backup: backupNamed(one) });
  await lastAct(serverId, 'done');
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({
      list: { backups: [{ name: one, bytes: 5_000_000, notes: [] }] },
      lastAct: { backup: one, action: 'backup' },
    }),
  );
  expect(agent.tasks).toHaveLength(1);
  expect(await audited(serverId)).toEqual([
    ['saves.backup', { backup: null }],
    ['saves.ended', { action: 'backup', backup: one, outcome: 'done', detail: null }],
  ]);
  expect(await told(serverId)).toEqual([
    ['saves.backed-up', { name, backup: one, bytes: 5_000_000, notes: 0 }],
  ]);
});

// Guarantee: a restore, its undo and its confirmation reach the agent with the backup's name, and are reported.
test('restore, undo, confirm', async () => {
  const { serverId, agent, name } = await join({ list: listOf(one) });
  using _ = agent;
  const request = { backup: one, serverName: `  ${name} ` };
  const run = async (body: SaveRequest, unconfirmed: string | null) => {
    const { status, text } = await act(serverId, body);
    expect(status, text).toBe(200);
    const { id, task } = await agent.nextTask();
    agent.list = { ...listOf(one), unconfirmed };
    agent.power.end(id, 'done');
    await lastAct(serverId, 'done');
    await eventually(async () => expect((await read(serverId)).list).toMatchObject({ unconfirmed }));
    return task;
  };
  expect(await run({ action: 'restore', ...request }, one)).toEqual({ kind: 'restore-saves', backup: one });
  expect((await read(serverId)).restoreObstacle).toBe('SAVES_UNCONFIRMED');
  expect((await act(serverId, { action: 'restore', ...request })).json.code).toBe('SAVES_UNCONFIRMED');
  expect(await run({ action: 'undo', ...request }, null)).toEqual({ kind: 'undo-restore', backup: one });
  await run({ action: 'restore', ...request }, one);
  expect(await run({ action: 'confirm', backup: one }, null)).toEqual({
    kind: 'confirm-restore',
    backup: one,
  });
  expect((await told(serverId)).map(([kind]) => kind)).toEqual([
    'saves.restored',
    'saves.restore-undone',
    'saves.restored',
  ]);
  expect(
    (await audited(serverId)).map(([action]) => action).filter((action) => action !== 'saves.ended'),
  ).toEqual(['saves.restore', 'saves.undo', 'saves.restore', 'saves.confirm']);
});

// Guarantee: of two concurrent acts, one is told that the other was first; the same request again is the same act, and
// another one with its key is refused, even after it has ended.
test('two at once, and one twice', async () => {
  const { serverId, agent, name } = await join({ list: listOf(one) });
  using _ = agent;
  const both = await Promise.all([
    act(serverId, { action: 'backup' }, 'one'),
    act(serverId, { action: 'restore', backup: one, serverName: name }, 'two'),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.json).toMatchObject({ code: 'SAVES_BUSY', detail: expect.stringContaining('tester') });
  const isBackup = both[0]?.status === 200;
  const first: SaveRequest = isBackup
    ? { action: 'backup' }
    : { action: 'restore', backup: one, serverName: name };
  const key = isBackup ? 'one' : 'two';
  const begun = both.find(({ status }) => status === 200)?.json.id;
  expect((await act(serverId, first, key)).json.id).toBe(begun);
  expect((await act(serverId, { action: 'confirm', backup: one }, key)).json.code).toBe(
    'IDEMPOTENCY_MISMATCH',
  );
  const task = await agent.nextTask();
  agent.power.end(task.id, 'failed', 'The disk is full.');
  expect(await lastAct(serverId, 'failed')).toMatchObject({ lastAct: { detail: 'The disk is full.' } });
  expect((await act(serverId, first, key)).json).toMatchObject({ id: begun, outcome: 'failed' });
  const other = await newServer(running().port);
  expect((await act(other, first, key)).json.code).toBe('IDEMPOTENCY_MISMATCH');
  const same = await Promise.all(
    Array.from({ length: 4 }, () => act(serverId, { action: 'backup' }, 'three')),
  );
  expect(new Set(same.map(({ json }) => json.id)).size).toBe(1);
  await agent.nextTask();
  expect(agent.tasks).toHaveLength(2);
  await eventually(async () =>
    expect((await told(serverId)).map(([kind]) => kind)).toEqual(isBackup ? ['saves.backup-failed'] : []),
  );
});

// Guarantee: a backup can be cancelled before the agent has it and while it works, but not what has ended or a deletion.
test('cancelling', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const begun = await act(serverId, { action: 'backup' });
  const task = await agent.nextTask();
  expect((await cancel(serverId, begun.json.id)).json).toMatchObject({ isCancelled: true, outcome: null });
  await eventually(() => expect(agent.power.cancelled).toContain(task.id));
  agent.power.end(task.id, 'cancelled');
  await lastAct(serverId, 'cancelled');
  expect((await cancel(serverId, begun.json.id)).json.code).toBe('SAVES_NOT_CANCELLABLE');
  expect((await cancel(serverId, 'another')).json.code).toBe('NOT_FOUND');
  const confirm = await act(serverId, { action: 'confirm', backup: one });
  expect((await cancel(serverId, confirm.json.id)).json.code).toBe('SAVES_NOT_CANCELLABLE');
  agent.power.end((await agent.nextTask()).id, 'done');
  await lastAct(serverId, 'done');
  // One that finishes all the same ends as finished.
  const late = await act(serverId, { action: 'backup' });
  const working = await agent.nextTask();
  await cancel(serverId, late.json.id);
  agent.power.end(working.id, 'done', null, { backup: backupNamed(two) });
  expect(await lastAct(serverId, 'done')).toMatchObject({ lastAct: { backup: two, isCancelled: true } });
  expect(await told(serverId)).toEqual([]);
});

// Guarantee: an API that dies during a restore knows about it after the restart, and learns from the agent how it ended.
test('an API that restarts in the middle', async () => {
  const { serverId, agent, name } = await join({ list: listOf(one) });
  const begun = await act(serverId, { action: 'restore', backup: one, serverName: name });
  const task = await agent.nextTask();
  agent[Symbol.dispose]();
  await using other = await startTestApi({ databaseUrl: running().databaseUrl, workers: [] });
  await whenInUse(other);
  expect(await read(serverId, other.port)).toMatchObject({
    isAgentPresent: false,
    obstacle: 'SAVES_AGENT_AWAY',
    act: { id: begun.json.id, outcome: null },
    list: { backups: [{ name: one }] },
  });
  using again = await joinSavesAgent(other.port, serverId, {
    identity: agent.power.identity,
    list: { ...listOf(one), unconfirmed: one },
  });
  again.power.end(task.id, 'done');
  await eventually(async () =>
    expect(await read(serverId, other.port)).toMatchObject({
      act: null,
      lastAct: { outcome: 'done' },
      list: { unconfirmed: one },
    }),
  );
  await eventually(async () =>
    expect((await audited(serverId)).map(([action]) => action)).toEqual(['saves.restore', 'saves.ended']),
  );
  expect((await told(serverId)).map(([kind]) => kind)).toEqual(['saves.restored']);
});

// Guarantee: however many read, the agent is asked once; its rows do not fill the list of tasks.
test('many readers', async () => {
  const { serverId, agent } = await join({ list: listOf(one) });
  using _ = agent;
  await eventually(async () =>
    expect((await read(serverId)).list).toMatchObject({ backups: [{ name: one }] }),
  );
  expect(agent.timesAsked).toBe(1);
  await Promise.all(Array.from({ length: 20 }, () => read(serverId)));
  expect(agent.timesAsked).toBe(1);
  const tasks = async () =>
    (await call(running().port, agentTasksHttp.list, { as: desktop, params: { serverId } })).json.rows;
  await eventually(async () => expect(await tasks()).toEqual([]));
});

// Guarantee: an agent's earlier list is shown with its time while the agent is away or silent, and never as current; a
// reader waits only a moment.
test('an agent that does not answer', async () => {
  const { serverId, agent } = await join({ list: listOf(one) });
  await eventually(async () => expect((await read(serverId)).list).toBeTruthy());
  const { at } = (await read(serverId)).list as { at: string };
  agent[Symbol.dispose]();
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({
      isAgentPresent: false,
      obstacle: 'SAVES_AGENT_AWAY',
      restoreObstacle: null,
      list: { at, backups: [{ name: one }] },
    }),
  );
  using silent = await joinSavesAgent(running().port, serverId, {
    identity: agent.power.identity,
    list: null,
  });
  await eventually(async () => {
    expect(await read(serverId)).toMatchObject({ isAgentPresent: true, list: { at } });
    expect(silent.timesAsked).toBe(1);
  });
  silent.list = listOf(two);
  await eventually(async () =>
    expect((await read(serverId)).list).toMatchObject({ backups: [{ name: two }] }),
  );
  expect(silent.timesAsked).toBe(1);
});

// Guarantee: an archived server shows its last list, and nothing is done for it.
test('the archive', async () => {
  const { serverId, agent } = await join({ list: listOf(one) });
  using _ = agent;
  await eventually(async () => expect((await read(serverId)).list).toBeTruthy());
  await call(running().port, gameServersHttp.archive, { as: desktop, params: { id: serverId } });
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({
      obstacle: 'SERVER_ARCHIVED',
      list: { backups: [{ name: one }] },
    }),
  );
  expect((await act(serverId, { action: 'backup' })).json.code).toBe('SERVER_ARCHIVED');
  expect((await act('no-such-server', { action: 'backup' })).json.code).toBe('NOT_FOUND');
  const nowhere = { as: desktop, params: { serverId: 'no-such-server' } };
  expect((await call(running().port, savesHttp.read, nowhere)).json.code).toBe('NOT_FOUND');
});
