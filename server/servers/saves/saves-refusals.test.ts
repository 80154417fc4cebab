import { expect, test } from 'vitest';
import { agentTasksHttp } from '#contracts/servers/agent-tasks-http.ts';
import { type SaveRequest, savesHttp } from '#contracts/servers/saves.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, newApiKey, newServer, person, signIn } from '../../kernel/testing/call.ts';
import { testDesktopCredential as desktop } from '../../kernel/testing/test-api.ts';
import { joinSavesAgent, listOf, type SavesAgentOptions, savesKinds } from './testing/saves-agent.ts';

const running = apiForThisFile();
const one = '2026-01-01T04-30-00Z';

const join = async (options: SavesAgentOptions = {}) => {
  const { port, api } = running();
  const serverId = await newServer(port);
  const { tasks, directory } = api.context.servers;
  await eventually(() => expect(directory.get(serverId)).not.toBeNull());
  const name = directory.get(serverId)?.name ?? '';
  const agent = await joinSavesAgent(port, serverId, { list: listOf(one), ...options });
  if (options.machine !== null)
    await eventually(() => expect(tasks.machineOf(serverId).process?.isCurrent).toBe(true));
  else await eventually(async () => expect((await read(serverId)).isAgentPresent).toBe(true));
  const requests: Record<SaveRequest['action'], SaveRequest> = {
    backup: { action: 'backup' },
    restore: { action: 'restore', backup: one, serverName: name },
    undo: { action: 'undo', backup: one, serverName: name },
    confirm: { action: 'confirm', backup: one },
  };
  return { serverId, agent, name, requests };
};
const read = async (serverId: string, as: string = desktop) =>
  (await call(running().port, savesHttp.read, { as, params: { serverId } })).json;
const act = async (serverId: string, body: SaveRequest, as: string = desktop, confirmed = true) => {
  const { status, json } = await call(running().port, savesHttp.act, {
    as,
    confirmed,
    params: { serverId },
    body,
  });
  return { status, code: json.code ?? null, detail: json.detail };
};
const auditedActs = (serverId: string) =>
  running()
    .api.context.database.db.selectFrom('save_acts')
    .select('id')
    .where('server_id', '=', serverId)
    .execute();

// Guarantee: what an agent cannot do, or its machine does not report, is refused with its remedy, and nothing reaches the agent.
test.each([
  ['SAVES_FOLDER_UNKNOWN', { folder: null, tasks: ['power'] }, 'castellan-agent setup'],
  ['SAVES_AGENT_TOO_OLD', { tasks: ['power', 'list-saves'] }, 'Install the Game Agent'],
  ['SAVES_AGENT_TOO_OLD', null, 'Install the Game Agent'],
] as const)('%s', async (code, machine, remedy) => {
  const { serverId, agent, requests } = await join({
    machine: machine && { ...machine },
  } as SavesAgentOptions);
  using _ = agent;
  await eventually(async () => expect((await read(serverId)).obstacle).toBe(code));
  for (const request of Object.values(requests)) {
    const refused = await act(serverId, request);
    expect(refused).toMatchObject({ status: 409, code, detail: expect.stringContaining(remedy) });
  }
  expect(agent.tasks).toEqual([]);
  expect(await auditedActs(serverId)).toEqual([]);
});

// Guarantee: an older agent, which cannot undo, does everything else.
test('an agent that cannot undo', async () => {
  const { serverId, agent, requests } = await join({
    machine: { tasks: savesKinds.filter((kind) => kind !== 'undo-restore') },
  });
  using _ = agent;
  expect((await read(serverId)).obstacle).toBeNull();
  expect((await act(serverId, requests.undo)).code).toBe('SAVES_AGENT_TOO_OLD');
  expect((await act(serverId, requests.restore)).status).toBe(200);
});

// Guarantee: worlds are not replaced while the game runs or where the machine's owner does not allow it; backups are taken.
test('a game that runs, and a machine that does not allow it', async () => {
  const { serverId, agent, requests } = await join();
  using _ = agent;
  for (const state of ['starting', 'running', 'stopping', 'backing-off'] as const) {
    agent.power.tell({ state, wanted: 'running' });
    await eventually(async () => expect((await read(serverId)).restoreObstacle).toBe('SAVES_GAME_RUNNING'));
    expect((await act(serverId, requests.restore)).code).toBe('SAVES_GAME_RUNNING');
    expect((await act(serverId, requests.undo)).code).toBe('SAVES_GAME_RUNNING');
  }
  for (const state of ['crash-looping', 'unknown', 'stopped'] as const) {
    agent.power.tell({ state });
    await eventually(async () => expect((await read(serverId)).restoreObstacle).toBeNull());
  }
  const closed = await join({ machine: { allows: { power: true, files: false, mods: true } } });
  using __ = closed.agent;
  expect(await read(closed.serverId)).toMatchObject({
    obstacle: null,
    restoreObstacle: 'SAVES_NOT_ALLOWED',
  });
  for (const action of ['restore', 'undo', 'confirm'] as const)
    expect((await act(closed.serverId, closed.requests[action])).code).toBe('SAVES_NOT_ALLOWED');
  expect((await act(closed.serverId, closed.requests.backup)).status).toBe(200);
  await closed.agent.nextTask();
  expect(closed.agent.tasks).toHaveLength(1);
});

// Guarantee: if nothing manages the game's process, a game that responds counts as running.
test('a game that nothing manages', async () => {
  const { serverId, agent, requests } = await join({ process: { state: 'unmanaged', wanted: null } });
  using _ = agent;
  await eventually(async () => expect((await read(serverId)).restoreObstacle).toBe('SAVES_GAME_RUNNING'));
  expect((await act(serverId, requests.restore)).code).toBe('SAVES_GAME_RUNNING');
  agent.power.send({ v: 1, type: 'heartbeat', number: 2, state: 'offline', detail: null, players: [] });
  await eventually(async () => expect((await read(serverId)).restoreObstacle).toBeNull());
});

// Guarantee: a restore and its undo require the server's displayed name, ignoring surrounding spaces and how its letters are
// composed.
test('the typed name', async () => {
  const { serverId, agent, name, requests } = await join();
  using _ = agent;
  const { db } = running().api.context.database;
  const wanted = 'Fjörd Überwelt';
  await db.updateTable('game_servers').set({ name: wanted }).where('id', '=', serverId).execute();
  const typed = (serverName: string) => act(serverId, { ...requests.restore, serverName } as SaveRequest);
  for (const wrong of [name, '', wanted.toLowerCase(), `${wanted}!`, 'Fjord Uberwelt'])
    expect(await typed(wrong)).toMatchObject({ status: 422, code: 'SAVES_NAME_MISMATCH' });
  expect((await act(serverId, requests.undo)).code).toBe('SAVES_NAME_MISMATCH');
  expect(agent.tasks).toEqual([]);
  expect((await typed(`\t${wanted.normalize('NFD')} `)).status).toBe(200);
});

// Guarantee: a script may take backups and nothing more; before worlds change, a person confirms by step-up.
test('who may', async () => {
  const { port } = running();
  const { serverId, agent, requests } = await join();
  using _ = agent;
  const end = async () => {
    agent.power.end((await agent.nextTask()).id, 'done');
    await eventually(async () => expect((await read(serverId)).act).toBeNull());
  };
  const risky = [requests.restore, requests.undo, requests.confirm];
  const owner = await person(port, { role: 'owner' });
  const { key } = await newApiKey(port, owner.token, {
    name: 'backups',
    permissions: ['saves.read', 'saves.write'],
    expiresInDays: 1,
  });
  for (const request of risky) expect((await act(serverId, request, key)).code).toBe('PERSON_REQUIRED');
  expect((await act(serverId, requests.backup, key)).status).toBe(200);
  await end();
  const fresh = await signIn(port, owner.name, owner.password);
  for (const request of risky) {
    expect((await act(serverId, request, fresh)).code).toBe('STEP_UP_REQUIRED');
    expect((await act(serverId, request, desktop, false)).code).toBe('STEP_UP_REQUIRED');
  }
  expect((await act(serverId, requests.backup, fresh)).status).toBe(200);
  await end();
  const reader = await person(port, { role: await customRole(port, ['saves.read', 'servers.read']) });
  expect((await read(serverId, reader.token)).list).toBeTruthy();
  for (const request of Object.values(requests))
    expect((await act(serverId, request, reader.token)).code).toBe('FORBIDDEN');
  const role = await customRole(port, ['saves.read', 'saves.write']);
  const elsewhere = await newServer(port);
  const ofAnother = await person(port, { role: null, serverGrants: [{ serverId: elsewhere, role }] });
  expect((await read(serverId, ofAnother.token)).code).toBe('FORBIDDEN');
  expect((await act(serverId, requests.backup, ofAnother.token)).code).toBe('FORBIDDEN');
  for (const builtIn of ['admin', 'moderator', 'viewer'] as const) {
    const { token } = await person(port, { role: builtIn });
    const sees = (await read(serverId, token)).code === undefined;
    expect(sees, builtIn).toBe(builtIn === 'admin');
  }
});

// Guarantee: a task on saves is cancelled only by the saves' own endpoint, and shows its result to those who may see saves.
test('tasks on saves in the list of tasks', async () => {
  const { port } = running();
  const { serverId, agent, requests } = await join();
  using _ = agent;
  const seer = await person(port, { role: await customRole(port, ['servers.read', 'saves.read']) });
  const writer = await person(port, { role: await customRole(port, ['servers.read', 'servers.write']) });
  const keeper = await person(port, { role: await customRole(port, ['servers.read', 'saves.write']) });
  await act(serverId, requests.backup);
  const { id } = await agent.nextTask();
  const cancel = async (as: string) =>
    (await call(port, agentTasksHttp.cancel, { as, params: { serverId, id } })).status;
  for (const { token } of [seer, writer, keeper]) expect(await cancel(token)).toBe(403);
  expect(agent.power.cancelled).toEqual([]);
  agent.power.end(id, 'failed', 'Everything at /srv/secret is full.', { some: 'value' });
  const details = async (as: string) => {
    const { json } = await call(port, agentTasksHttp.list, { as, params: { serverId } });
    return (json.rows as { id: string; result: { detail: unknown } | null }[]).find((row) => row.id === id)
      ?.result?.detail;
  };
  await eventually(async () => expect(await details(seer.token)).toContain('/srv/secret'));
  expect(await details(writer.token)).toBeNull();
});
