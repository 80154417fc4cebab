import { expect, test } from 'vitest';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { auditHttp } from '#contracts/kernel/audit.ts';
import type { SavesSchedule } from '#contracts/servers/agent-tasks.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { savesHttp } from '#contracts/servers/saves.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newServer, person } from '../../kernel/testing/call.ts';
import { testDesktopCredential as desktop } from '../../kernel/testing/test-api.ts';
import { joinSavesAgent, listOf, type SavesAgentOptions, savesKinds } from './testing/saves-agent.ts';

const running = apiForThisFile();
const least = { keep: 7, days: 30 };
const four: SavesSchedule = { atMinute: 240, keep: 14, days: 60 };
const five: SavesSchedule = { atMinute: 300, keep: 20, days: 30 };
/** A list of an agent whose machine has no schedule of its own. */
const listWith = (panel: SavesSchedule | null) => ({
  ...listOf(),
  nightly: panel && { atMinute: panel.atMinute, last: null },
  schedule: { keep: panel?.keep ?? 7, days: panel?.days ?? 30, least, panel },
});
const consents = { allows: { power: true, files: true, mods: false, backups: true } };

const join = async (options: SavesAgentOptions = {}, serverId?: string) => {
  const { port, api } = running();
  const id = serverId ?? (await newServer(port));
  await eventually(() => expect(api.context.servers.directory.get(id)).not.toBeNull());
  const agent = await joinSavesAgent(port, id, { machine: consents, list: listWith(null), ...options });
  if (options.machine !== null) await eventually(async () => expect((await read(id)).list).not.toBeNull());
  return { serverId: id, agent };
};
const read = async (serverId: string) =>
  (await call(running().port, savesHttp.read, { as: desktop, params: { serverId } })).json;
const put = (serverId: string, version: number, schedule: SavesSchedule | null, as: string = desktop) =>
  call(running().port, savesHttp.schedule, { as, params: { serverId }, body: { version, schedule } });
const stands = (serverId: string, expected: object) =>
  eventually(async () => expect((await read(serverId)).schedule).toMatchObject(expected));

// Guarantee: a schedule is what the agent says it does, not what was asked for; of two people at the same form the second is told, and a
// repetition changes nothing; each change is audited once.
test('a schedule and its end', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  expect((await read(serverId)).schedule).toMatchObject({ version: 0, state: 'none', obstacle: null });
  expect((await put(serverId, 0, four)).json).toMatchObject({
    version: 1,
    requested: four,
    state: 'waiting',
  });
  const { id, task } = await agent.nextTask();
  expect(task).toEqual({ kind: 'schedule-saves', schedule: four });
  expect((await put(serverId, 0, five)).json.code).toBe('CONFLICT');
  expect((await put(serverId, 0, four)).json).toMatchObject({ version: 1 });
  // Changed before the agent has answered: sent once it has.
  expect((await put(serverId, 1, five)).json).toMatchObject({ version: 2, state: 'waiting' });
  agent.list = listWith(four);
  agent.power.end(id, 'done');
  const second = await agent.nextTask();
  expect(second.task).toEqual({ kind: 'schedule-saves', schedule: five });
  agent.list = listWith(five);
  agent.power.end(second.id, 'done');
  await stands(serverId, { version: 2, requested: five, state: 'applied' });
  expect(await read(serverId)).toMatchObject({
    list: { nightly: { atMinute: 300 }, schedule: { keep: 20, panel: five } },
  });

  await put(serverId, 2, null);
  const third = await agent.nextTask();
  expect(third.task).toEqual({ kind: 'schedule-saves', schedule: null });
  agent.list = listWith(null);
  agent.power.end(third.id, 'done');
  await stands(serverId, { version: 3, requested: null, state: 'none' });
  expect(agent.tasks).toHaveLength(3);
  const { json } = await call(running().port, auditHttp.list, { as: desktop });
  const audited = (json.rows as { action: string; target: string; after: unknown }[]).filter(
    ({ action, target }) => action === 'saves.schedule' && target === `server:${serverId}`,
  );
  expect(audited.map(({ after }) => after)).toEqual([null, five, four].map((schedule) => ({ schedule })));
});

// Guarantee: less than the machine keeps is refused at its field with the number, also where only the agent knows it; the agent's
// reason is shown.
test('below what the machine keeps', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  for (const [name, value] of [
    ['keep', 6],
    ['days', 29],
  ] as const)
    expect((await put(serverId, 0, { ...four, [name]: value })).json).toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [{ path: `body.schedule.${name}`, code: 'machine-keeps', values: [String(least[name])] }],
    });
  await put(serverId, 0, four);
  const detail = "The game's machine keeps at least 20 backups and 90 days.";
  agent.power.end((await agent.nextTask()).id, 'refused', detail);
  const { timesAsked } = agent;
  await stands(serverId, { version: 1, requested: four, state: 'failed', detail });
  // The same one is not sent again with each list.
  await eventually(() => expect(agent.timesAsked).toBeGreaterThan(timesAsked));
  await read(serverId);
  await put(serverId, 1, five);
  expect((await agent.nextTask()).task).toEqual({ kind: 'schedule-saves', schedule: five });
});

// Guarantee: a schedule that was set while the agent was away goes to it when it is back; when its machine withdraws the consent the
// schedule has ended, and can be discarded.
test('an agent that is away, and a consent that ends', async () => {
  const { serverId, agent } = await join();
  const { identity } = agent.power;
  agent[Symbol.dispose]();
  await eventually(async () => expect((await read(serverId)).isAgentPresent).toBe(false));
  expect((await put(serverId, 0, four)).json).toMatchObject({ state: 'waiting', obstacle: null });
  const back = (await join({ identity }, serverId)).agent;
  const { id, task } = await back.nextTask();
  expect(task).toEqual({ kind: 'schedule-saves', schedule: four });
  back.list = listWith(four);
  back.power.end(id, 'done');
  await stands(serverId, { state: 'applied' });

  back.list = listWith(null);
  back.power.tellMachine({ tasks: [...savesKinds], allows: { ...consents.allows, backups: false } });
  await stands(serverId, { requested: four, state: 'ended', obstacle: 'SAVES_SCHEDULE_NOT_ALLOWED' });
  expect((await put(serverId, 1, five)).json.code).toBe('SAVES_SCHEDULE_NOT_ALLOWED');
  expect((await put(serverId, 1, null)).json).toMatchObject({ version: 2, state: 'none' });
  expect(back.tasks).toHaveLength(1);
  back[Symbol.dispose]();
});

// Guarantee: who cannot schedule, or where, is told why, and nothing is kept.
test('refusals', async () => {
  const old = await join({
    machine: { ...consents, tasks: savesKinds.filter((kind) => kind !== 'schedule-saves') },
  });
  using _old = old.agent;
  expect((await put(old.serverId, 0, four)).json.code).toBe('SAVES_AGENT_TOO_OLD');
  const closed = await join({ machine: {} });
  using _closed = closed.agent;
  expect((await read(closed.serverId)).schedule).toMatchObject({
    state: 'none',
    obstacle: 'SAVES_SCHEDULE_NOT_ALLOWED',
  });
  expect((await put(closed.serverId, 0, four)).json.code).toBe('SAVES_SCHEDULE_NOT_ALLOWED');
  const { port } = running();
  expect((await put(await newServer(port), 0, four)).json.code).toBe('SAVES_AGENT_AWAY');
  expect((await put('absent', 0, four)).json.code).toBe('NOT_FOUND');

  const { serverId, agent } = await join();
  using _ = agent;
  const role = await call(port, rolesHttp.create, {
    as: desktop,
    body: { name: 'Watch', permissions: ['servers.read', 'saves.read'] },
  });
  const { token } = await person(port, { role: String(role.json.id) });
  expect((await put(serverId, 0, four, token)).status).toBe(403);
  for (const wrong of [{ atMinute: 1440 }, { keep: 0 }, { days: 4000 }, { keep: 7.5 }])
    expect((await put(serverId, 0, { ...four, ...wrong })).json.code).toBe('INVALID_REQUEST');
  await call(port, gameServersHttp.archive, { as: desktop, params: { id: serverId } });
  await eventually(async () => expect((await put(serverId, 0, four)).json.code).toBe('SERVER_ARCHIVED'));
  for (const id of [old.serverId, closed.serverId, serverId])
    expect((await read(id)).schedule).toMatchObject({ version: 0, requested: null });
});
