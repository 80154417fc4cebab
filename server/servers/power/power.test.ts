import { expect, test } from 'vitest';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type PowerRequest, powerHttp } from '#contracts/servers/power.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential as desktop, startTestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { deleteOldActs } from '../agent-acts.ts';
import { joinPowerAgent, type PowerAgentOptions } from './testing/power-agent.ts';
import { powerOfATest } from './testing/power-of-a-test.ts';

const running = apiForThisFile();
const { read, act, cancel, join, audited, told, shown } = powerOfATest(running);

// Guarantee: a start goes to the agent once, is shown with what the agent reports about it, and ends as the agent proves.
test('an act from its request to its end', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  expect(await read(serverId)).toMatchObject({
    isAgentPresent: true,
    obstacle: null,
    process: { report: { state: 'stopped' } },
    machine: { folder: '/srv/games/fjord', account: 'steam' },
    act: null,
    lastAct: null,
  });
  const begun = await act(serverId, { action: 'start' });
  expect(begun.status).toBe(200);
  const task = await agent.nextTask();
  expect(task).toMatchObject({
    id: begun.json.id,
    task: { kind: 'power', action: 'start', countdown: null },
  });
  agent.progress(task.id, { step: 'The game is starting', done: 1, total: null });
  await eventually(async () =>
    expect((await read(serverId)).act).toMatchObject({
      progress: { step: 'The game is starting' },
      outcome: null,
    }),
  );
  agent.tell({ state: 'running', wanted: 'running', pid: 77, upMs: 10 });
  agent.end(task.id, 'done');
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({ act: null, lastAct: { id: task.id, outcome: 'done' } }),
  );
  expect(agent.tasks).toHaveLength(1);
  const id = String(begun.json.id);
  await eventually(async () =>
    expect((await audited(serverId)).map(({ action, after }) => [action, after])).toEqual([
      ['servers.start', { act: id, countdownSeconds: 0 }],
      ['servers.power-ended', { act: id, action: 'start', outcome: 'done', detail: null }],
    ]),
  );
  await eventually(async () => expect(await told(serverId)).toEqual(['server.started']));
});

// Guarantee: a stop requested without a countdown is announced while players are online, in the community's language and for
// as long as the settings say, and not at all when no one is online.
test('the countdown', async () => {
  const { port } = running();
  const { serverId, agent } = await join({
    process: { state: 'running', wanted: 'running', pid: 7, upMs: 1 },
  });
  using _ = agent;
  const stop = async (body: Partial<PowerRequest> = {}) => {
    await act(serverId, { action: 'stop', ...body });
    const task = await agent.nextTask();
    agent.end(task.id, 'done');
    await eventually(async () => expect((await read(serverId)).act).toBeNull());
    return (task.task as { countdown?: unknown }).countdown;
  };
  await eventually(async () => expect(await shown(serverId)).toMatchObject({ shown: 'online', players: 0 }));
  expect(await stop()).toBeNull();
  agent.send({
    v: 1,
    type: 'heartbeat',
    number: 2,
    state: 'online',
    detail: null,
    players: [{ name: 'Otter', platformId: null, handle: 'Otter' }],
  });
  await eventually(async () => expect((await shown(serverId)).players).toBe(1));
  expect(await stop()).toEqual({ seconds: 60, text: 'The server stops in {time}.' });
  expect(await stop({ countdownSeconds: 0 })).toBeNull();
  expect(await stop({ action: 'restart', countdownSeconds: 5 })).toEqual({
    seconds: 5,
    text: 'The server restarts in {time}.',
  });
  const change = async (section: 'general' | 'power', values: Record<string, unknown>) => {
    const { json } = await call(port, settingsHttp.list, { as: desktop });
    const { version } = (json.sections as { name: string; version: number }[]).find(
      ({ name }) => name === section,
    ) ?? {
      version: 0,
    };
    const changed = await call(port, settingsHttp.change, {
      as: desktop,
      params: { section },
      body: { version, values },
    });
    expect(changed.status).toBe(200);
  };
  await change('general', { language: 'pt-BR' });
  await change('power', { countdownSeconds: 90 });
  await eventually(async () => expect((await read(serverId)).defaultCountdownSeconds).toBe(90));
  expect(await stop()).toEqual({ seconds: 90, text: 'O servidor será desligado em {time}.' });
  await change('general', { language: 'en' });
  await change('power', { countdownSeconds: 60 });
});

// Guarantee: of two concurrent acts, one is told that the other was first; the same request again is the same act.
test('two at once, and one twice', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const both = await Promise.all([
    act(serverId, { action: 'start' }, { key: 'one' }),
    act(serverId, { action: 'restart' }, { key: 'two' }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.json).toMatchObject({ code: 'POWER_BUSY', detail: expect.stringContaining('tester') });
  const first = both[0]?.status === 200 ? 'start' : 'restart';
  const key = first === 'start' ? 'one' : 'two';
  const again = await act(serverId, { action: first }, { key });
  expect(again.json.id).toBe(both.find(({ status }) => status === 200)?.json.id);
  expect((await act(serverId, { action: 'kill' }, { key })).json.code).toBe('IDEMPOTENCY_MISMATCH');
  const task = await agent.nextTask();
  agent.end(task.id, 'failed', 'The port is taken.');
  await eventually(async () =>
    expect((await read(serverId)).lastAct).toMatchObject({ outcome: 'failed', detail: 'The port is taken.' }),
  );
  expect((await act(serverId, { action: first }, { key })).json).toMatchObject({ outcome: 'failed' });
  expect(agent.tasks).toHaveLength(1);
});

// Guarantee: what a machine does not allow, or an agent cannot do, is refused with its remedy, and nothing reaches the agent.
test.each([
  ['POWER_NOT_ALLOWED', { allows: { power: false, files: true, mods: true } }, 'castellan-agent setup'],
  ['POWER_UNMANAGED', { startMethod: 'none', startDetail: null }, 'castellan-agent setup'],
  ['POWER_AGENT_TOO_OLD', { tasks: [] }, 'Install the Game Agent'],
  ['POWER_AGENT_TOO_OLD', null, 'Install the Game Agent'],
] as const)('%s', async (code, machine, remedy) => {
  const { serverId, agent } = await join({ machine: machine && { ...machine } } as PowerAgentOptions);
  using _ = agent;
  await eventually(async () => expect((await read(serverId)).obstacle).toBe(code));
  for (const action of ['start', 'stop', 'restart', 'kill'] as const) {
    const { status, json } = await act(serverId, { action });
    expect([status, json.code]).toEqual([409, code]);
    expect(json.detail).toContain(remedy);
  }
  expect(agent.tasks).toEqual([]);
  expect(await audited(serverId)).toEqual([]);
});

// Guarantee: without an agent, or for an archived server, nothing is claimed or done.
test('no agent, and the archive', async () => {
  const { port } = running();
  const { serverId, agent } = await join();
  agent.tell({ state: 'running', wanted: 'running', pid: 5, upMs: 1 });
  await eventually(async () => expect((await shown(serverId)).shown).toBe('online'));
  agent[Symbol.dispose]();
  await eventually(async () => expect((await read(serverId)).obstacle).toBe('POWER_AGENT_AWAY'));
  await eventually(async () => {
    const status = await shown(serverId);
    expect(status).toMatchObject({ shown: 'lost', process: { lostAt: expect.any(String) } });
  });
  expect((await act(serverId, { action: 'stop' })).json.code).toBe('POWER_AGENT_AWAY');
  await call(port, gameServersHttp.archive, { as: desktop, params: { id: serverId } });
  expect((await act(serverId, { action: 'start' })).json.code).toBe('SERVER_ARCHIVED');
  expect((await act('no-such-server', { action: 'start' })).json.code).toBe('NOT_FOUND');
});

// Guarantee: only the agent cancels a stop, and what has ended cannot be cancelled.
test('cancelling', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const begun = await act(serverId, { action: 'stop', countdownSeconds: 60 });
  const task = await agent.nextTask();
  agent.progress(task.id, { step: 'Announced: 60 s left', done: 0, total: 60 });
  expect((await cancel(serverId, begun.json.id)).json).toMatchObject({ isCancelled: true, outcome: null });
  await eventually(() => expect(agent.cancelled).toContain(task.id));
  agent.end(task.id, 'cancelled');
  await eventually(async () =>
    expect((await read(serverId)).lastAct).toMatchObject({ outcome: 'cancelled' }),
  );
  expect((await cancel(serverId, begun.json.id)).json.code).toBe('POWER_NOT_CANCELLABLE');
  expect((await cancel(serverId, 'another')).json.code).toBe('NOT_FOUND');
});

// Guarantee: an API that dies while a game is being stopped knows about it after the restart, and learns how it ended.
test('an API that restarts in the middle', async () => {
  const { serverId, agent } = await join();
  const begun = await act(serverId, { action: 'stop', countdownSeconds: 30 });
  const task = await agent.nextTask();
  agent[Symbol.dispose]();
  await using other = await startTestApi({ databaseUrl: running().databaseUrl, workers: [] });
  await whenInUse(other);
  const there = async () =>
    (await call(other.port, powerHttp.read, { as: desktop, params: { serverId } })).json;
  expect(await there()).toMatchObject({ act: { id: begun.json.id, outcome: null } });
  using again = await joinPowerAgent(other.port, serverId, { identity: agent.identity });
  again.end(task.id, 'done', 'The game has ended.');
  await eventually(async () =>
    expect(await there()).toMatchObject({
      act: null,
      lastAct: { outcome: 'done', detail: 'The game has ended.' },
    }),
  );
  await eventually(async () =>
    expect((await audited(serverId)).filter(({ action }) => action === 'servers.power-ended')).toHaveLength(
      1,
    ),
  );
});

// Guarantee: a kill does not wait for a hanging stop.
test('a kill in the middle of a stop', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  await act(serverId, { action: 'stop', countdownSeconds: 600 });
  const stop = await agent.nextTask();
  expect((await act(serverId, { action: 'restart' })).json.code).toBe('POWER_BUSY');
  expect((await act(serverId, { action: 'kill' })).status).toBe(200);
  expect((await act(serverId, { action: 'kill' })).json.code).toBe('POWER_BUSY');
  const kill = await agent.nextTask();
  expect(kill.task).toMatchObject({ action: 'kill' });
  agent.end(stop.id, 'cancelled');
  agent.end(kill.id, 'done');
  await eventually(async () =>
    expect(await read(serverId)).toMatchObject({ act: null, lastAct: { outcome: expect.any(String) } }),
  );
});

// Guarantee: old acts are deleted, but never a running one.
test('retention', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  const { db } = running().api.context.database;
  const old = {
    server_id: serverId,
    action: 'start',
    countdown_seconds: 0,
    actor: 'a',
    actor_name: 'a',
    address: '',
  };
  const longAgo = new Date(0);
  await db
    .insertInto('power_acts')
    .values([
      { ...old, id: 'ended', ended_at: longAgo, outcome: 'done' },
      { ...old, id: 'open', requested_at: longAgo },
    ] as never)
    .execute();
  expect(await deleteOldActs(db, 'power_acts', 30)).toBe(1);
  expect(await db.selectFrom('power_acts').select('id').where('server_id', '=', serverId).execute()).toEqual([
    { id: 'open' },
  ]);
});
