import { expect, test } from 'vitest';
import { powerHttp } from '#contracts/servers/power.ts';
import { type RestoreRunRequest, savesHttp } from '#contracts/servers/saves.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, changeAdmin, newServer, person } from '../../kernel/testing/call.ts';
import { testDesktopCredential as desktop } from '../../kernel/testing/test-api.ts';
import {
  joinSavesAgent,
  listOf,
  type SavesAgent,
  type SavesAgentOptions,
  savesKinds,
} from './testing/saves-agent.ts';

const running = apiForThisFile({ restoreRoundMs: 100 });
const backup = '2026-01-01T04-30-00Z';
const up = { state: 'running', wanted: 'running', pid: 4711, upMs: 90_000 } as const;
const down = { state: 'stopped', wanted: 'stopped', pid: null, upMs: null } as const;

const join = async (options: SavesAgentOptions = {}) => {
  const { port, api } = running();
  const serverId = await newServer(port);
  await eventually(() => expect(api.context.servers.directory.get(serverId)).not.toBeNull());
  const agent = await joinSavesAgent(port, serverId, { list: listOf(backup), process: up, ...options });
  await eventually(() =>
    expect(api.context.servers.tasks.machineOf(serverId)).toMatchObject({
      process: { isCurrent: true },
    }),
  );
  return { serverId, agent };
};
const run = (serverId: string, more: Partial<RestoreRunRequest> = {}, key = '', as: string = desktop) =>
  call(running().port, savesHttp.run, {
    as,
    params: { serverId },
    body: { action: 'restore', backup, starts: true, ...more },
    ...(key !== '' && { headers: { 'Idempotency-Key': key } }),
  });
const newest = async (serverId: string) =>
  (await call(running().port, savesHttp.read, { as: desktop, params: { serverId } })).json.run;
const ends = (serverId: string, expected: object) =>
  eventually(async () => expect(await newest(serverId)).toMatchObject(expected), 15_000);

const taskOf = async (agent: SavesAgent, expected: object): Promise<string> => {
  const { id, task } = await agent.nextTask();
  expect(task).toMatchObject(expected);
  return id;
};
const stopped = async (agent: SavesAgent) => {
  const id = await taskOf(agent, { kind: 'power', action: 'stop' });
  agent.power.tell(down);
  agent.power.end(id, 'done');
};

// Guarantee: one request without a typed name stops, restores and starts; a repetition with its key is the same run.
test('a restore goes through by itself', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const begun = await run(serverId, { countdownSeconds: 0 }, 'restore-1');
  expect([begun.status, begun.json]).toMatchObject([200, { step: 'stopping', outcome: null }]);
  expect((await run(serverId, { countdownSeconds: 0 }, 'restore-1')).json.id).toBe(begun.json.id);
  expect((await run(serverId, {}, 'restore-1')).json.code).toBe('IDEMPOTENCY_MISMATCH');
  expect((await run(serverId)).json.code).toBe('SAVES_BUSY');
  await stopped(agent);
  const restore = await taskOf(agent, { kind: 'restore-saves', backup });
  expect(await newest(serverId)).toMatchObject({ step: 'restoring' });
  agent.power.end(restore, 'done');
  const start = await taskOf(agent, { kind: 'power', action: 'start' });
  agent.power.tell(up);
  agent.power.end(start, 'done');
  await ends(serverId, { id: begun.json.id, outcome: 'done', step: 'starting' });
  expect(agent.tasks).toHaveLength(3);
});

// Guarantee: whatever ends a step, no world is replaced while the game runs, and a game that the run has stopped is started again
// unless someone has started it or nothing is known of its worlds.
test('a restore that fails on the way', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  await run(serverId);
  agent.power.end(await taskOf(agent, { kind: 'power', action: 'stop' }), 'cancelled');
  await ends(serverId, { outcome: 'cancelled', step: 'stopping' });

  await run(serverId);
  await stopped(agent);
  agent.power.end(await taskOf(agent, { kind: 'restore-saves' }), 'failed', 'The backup is damaged.');
  const start = await taskOf(agent, { kind: 'power', action: 'start' });
  agent.power.tell(up);
  agent.power.end(start, 'done');
  await ends(serverId, { outcome: 'failed', step: 'restoring', detail: 'The backup is damaged.' });
});

// Guarantee: where nothing is known of the worlds, the game is not started: a person has to look first.
test('a restore of which nothing is known', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  await run(serverId);
  await stopped(agent);
  agent.power.end(await taskOf(agent, { kind: 'restore-saves' }), 'unknown', 'The agent has lost it.');
  await ends(serverId, { outcome: 'failed', step: 'restoring', detail: 'The agent has lost it.' });
  const { rows } = await running().api.context.database.pool.query<{ count: string }>(
    `select count(*) from power_acts where server_id = $1 and action = 'start'`,
    [serverId],
  );
  expect(Number(rows[0]?.count)).toBe(0);
});

// Guarantee: if someone starts the game before its worlds are replaced, the run gives up and says so; the game is not stopped again.
test('a game that someone starts meanwhile', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  await run(serverId);
  const id = await taskOf(agent, { kind: 'power', action: 'stop' });
  agent.power.end(id, 'done');
  await eventually(async () => expect(await newest(serverId)).toMatchObject({ step: 'restoring' }));
  const { pool } = running().api.context.database;
  await eventually(async () => {
    const { rowCount } = await pool.query(
      `update restore_runs set waits_since = now() - interval '1 minute'
        where server_id = $1 and waits_since is not null`,
      [serverId],
    );
    expect(rowCount).toBe(1);
  });
  await ends(serverId, { outcome: 'failed', step: 'restoring', problem: 'SAVES_GAME_RUNNING' });
  expect(agent.tasks).toHaveLength(1);
});

const events = async (serverId: string) => {
  const { rows } = await running().api.context.database.pool.query<{ kind: string; payload: object }>(
    `select kind, payload from event_logs where server_id = $1 and kind like 'saves.restore-%' order by id`,
    [serverId],
  );
  return rows;
};
/** A person who has begun a restore, and loses all rights. */
const beginner = async (serverId: string) => {
  const { port } = running();
  const { id, name, token } = await person(port, { role: 'admin' });
  expect((await run(serverId, { countdownSeconds: 0 }, '', token)).status).toBe(200);
  return { name, demote: () => changeAdmin(port, { as: desktop, id, edit: { role: null } }) };
};

// Guarantee: who loses the right before the worlds are replaced replaces none; the game that the run stopped is started again, and
// an event and the page say why.
test('a right that is lost before the worlds are replaced', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const { name, demote } = await beginner(serverId);
  const stop = await taskOf(agent, { kind: 'power', action: 'stop' });
  await demote();
  agent.power.tell(down);
  agent.power.end(stop, 'done');
  const start = await taskOf(agent, { kind: 'power', action: 'start' });
  agent.power.tell(up);
  agent.power.end(start, 'done');
  const detail = `${name} can no longer restore this server’s worlds.`;
  await ends(serverId, { outcome: 'failed', step: 'restoring', problem: null, detail });
  expect(agent.tasks).toHaveLength(2);
  expect(await events(serverId)).toMatchObject([
    { kind: 'saves.restore-failed', payload: { by: name, backup, step: 'restoring', code: null, detail } },
  ]);
});

// Guarantee: who loses the right before the game was asked to stop does not stop it either, however the run was left.
test('a right that is lost before the game is stopped', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const { id } = await person(running().port, { role: 'viewer' });
  await running().api.context.database.pool.query(
    `insert into restore_runs (id, server_id, action, backup, request, starts, step, actor, actor_name, address)
     values ($1, $1, 'restore', $2, '{}', true, 'stopping', $3, 'Ann', '::1')`,
    [serverId, backup, `admin:${id}`],
  );
  await ends(serverId, { outcome: 'failed', step: 'stopping' });
  expect(agent.tasks).toHaveLength(0);
});

// Guarantee: once the worlds are being replaced, the run goes on to its end, and the game is started, no matter who lost which right.
test('a right that is lost while the worlds are replaced', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const { demote } = await beginner(serverId);
  await stopped(agent);
  const restore = await taskOf(agent, { kind: 'restore-saves' });
  await demote();
  agent.power.end(restore, 'done');
  const start = await taskOf(agent, { kind: 'power', action: 'start' });
  agent.power.tell(up);
  agent.power.end(start, 'done');
  await ends(serverId, { outcome: 'done', step: 'starting' });
  expect(await events(serverId)).toEqual([]);
});

// Guarantee: a step that has waited for a minute is told once, with what it waits for.
test('a restore that waits', async () => {
  const { serverId, agent } = await join({ process: down });
  const { pool } = running().api.context.database;
  agent[Symbol.dispose]();
  await eventually(() => expect(running().api.context.servers.agents.isPresent(serverId)).toBe(false));
  await pool.query(
    `insert into restore_runs (id, server_id, action, backup, request, starts, step, actor, actor_name, address, waits_since)
     values ($1, $1, 'restore', $2, '{}', true, 'restoring', 'desktop:owner', 'Ann', '::1', now() - interval '2 minutes')`,
    [serverId, backup],
  );
  const told = { name: expect.any(String), backup, by: 'Ann', step: 'restoring' };
  await eventually(async () =>
    expect(await events(serverId)).toEqual([
      { kind: 'saves.restore-waits', payload: { ...told, code: 'SAVES_AGENT_AWAY' } },
    ]),
  );
  await pool.query(
    `update restore_runs set waits_since = now() - interval '16 minutes' where server_id = $1`,
    [serverId],
  );
  await eventually(async () => expect(await events(serverId)).toHaveLength(2));
  expect((await events(serverId))[1]).toMatchObject({
    kind: 'saves.restore-failed',
    payload: { ...told, code: 'SAVES_AGENT_AWAY' },
  });
});

// Guarantee: wherever the API is killed, the next process asks for the same act: a row without its act, with one, and one that has
// ended while no process lived, lead to one stop, one restore and one start.
test.each(['stopping', 'restoring', 'starting'] as const)(
  'a row that a killed process left: %s',
  async (step) => {
    const { serverId, agent } = await join({ process: step === 'stopping' ? up : down });
    using _ = agent;
    const { pool } = running().api.context.database;
    await pool.query(
      `insert into restore_runs (id, server_id, action, backup, request, starts, step, settled, actor, actor_name, address)
     values ($1, $1, 'restore', $2, '{}', true, $3, $4, 'desktop:a', 'Ann', '::1')`,
      [serverId, backup, step, step === 'starting' ? 'done' : null],
    );
    if (step === 'stopping') await stopped(agent);
    if (step !== 'starting') agent.power.end(await taskOf(agent, { kind: 'restore-saves', backup }), 'done');
    const start = await taskOf(agent, { kind: 'power', action: 'start' });
    agent.power.tell(up);
    agent.power.end(start, 'done');
    await ends(serverId, { outcome: 'done', byName: 'Ann' });
    const { rows } = await pool.query<{ action: string }>(
      `select action from power_acts where server_id = $1 union all select action from save_acts where server_id = $1`,
      [serverId],
    );
    expect(rows.map(({ action }) => action).sort()).toEqual(
      { stopping: ['restore', 'start', 'stop'], restoring: ['restore', 'start'], starting: ['start'] }[step],
    );
  },
);

// Guarantee: nothing begins where the agent cannot do it all: an old agent needs the name typed, one that may not stop the game is
// named, and while a run is under way no one else restores.
test('what cannot be begun', async () => {
  const tasks = savesKinds.filter((kind) => kind !== 'undo-restore');
  const old = await join({ machine: { tasks } });
  using _old = old.agent;
  expect((await run(old.serverId)).json.code).toBe('SAVES_NAME_MISMATCH');
  expect((await run(old.serverId, { action: 'undo' })).json.code).toBe('SAVES_AGENT_TOO_OLD');
  const closed = await join({ machine: { allows: { power: false, files: true, mods: false } } });
  using _closed = closed.agent;
  expect((await run(closed.serverId)).json.code).toBe('POWER_NOT_ALLOWED');
  const open = await join();
  using _open = open.agent;
  await run(open.serverId);
  const act = await call(running().port, savesHttp.act, {
    as: desktop,
    params: { serverId: open.serverId },
    body: { action: 'restore', backup },
  });
  expect(act.json.code).toBe('SAVES_BUSY');
  const { json } = await call(running().port, powerHttp.read, {
    as: desktop,
    params: { serverId: open.serverId },
  });
  await eventually(() => expect(json.obstacle).toBeNull());
});
