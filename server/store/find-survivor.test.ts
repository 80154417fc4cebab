import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AgentFrame, agentProtocolVersion, apiFrame } from '#contracts/servers/agent-protocol.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { diamond, openStoreInPlay, type StoreInPlay } from './deliveries/testing/store-in-play.ts';
import { findSurvivor, isSurvivorKnown } from './survivor-numbers.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

const v = agentProtocolVersion;
const none = (detail: string): TaskResult => ({ outcome: 'done', detail, value: { number: null } });
const found = (number: string): TaskResult => ({
  outcome: 'done',
  detail: null,
  value: { number, from: 'SavedArks/TheIsland/7656.arkprofile' },
});

/** An ARK server whose agent looks survivors up by default, and a player on it. */
const arkServer = async (tasks: readonly string[] = ['survivor-number']) => {
  const serverId = await store.server('ark-se');
  const platformId = `steam:7656${String(Math.random()).slice(2, 15).padEnd(13, '1')}`;
  const name = play.newName();
  const gifts: string[] = [];
  const asked: string[] = [];
  const says = { answer: none('There is no profile.') as TaskResult };
  const agent = await store.agent(serverId, (command) => {
    if (command === 'ListPlayers') return `0. ${name}, ${platformId.slice('steam:'.length)}`;
    gifts.push(command);
    return 'Server received, But no response!!';
  });
  const send = (frame: AgentFrame) => agent.send(frame);
  agent.socket.on('message', (data) => {
    const frame = apiFrame.parse(JSON.parse(String(data)));
    if (frame.type !== 'task') return;
    asked.push(JSON.stringify(frame.task));
    send({ v, type: 'tasks-accepted', taskIds: [frame.id] });
    send({ v, type: 'task-result', taskId: frame.id, result: says.answer });
  });
  send({
    v,
    type: 'machine',
    taskJournal: 't'.repeat(22),
    machine: {
      platform: 'linux',
      folder: '/srv/ark',
      startMethod: 'none',
      startDetail: null,
      account: null,
      allows: { power: false, files: false, mods: false },
      tasks: [...tasks],
      hasConsole: true,
    },
  });
  await eventually(() => expect(store.gateway.tasks.machineOf(serverId).takesTasks).toBe(true));
  const { memberId, playerId } = await store.member(name, 'ark-se', platformId);
  store.join(serverId, playerId, name);
  const present = { serverId, memberId, playerId, platformId, gifts, asked, says, agent };
  return {
    ...present,
    look: (of: Parameters<typeof findSurvivor>[1]) => findSurvivor(store.context, of),
    buy: () => store.buy(memberId, 'ark-se', [{ ...diamond(1), item: '7' }], { serverIds: [serverId] }),
  };
};
const stored = async (playerId: string) =>
  (
    await store.database.pool.query(
      'select number, source, found_in from survivor_numbers where player_id = $1',
      [playerId],
    )
  ).rows;
const again = async (memberId: string) => {
  await store.database.pool.query('update deliveries set next_try_at = now() where member_id = $1', [
    memberId,
  ]);
  await play.run(memberId);
};

// Guarantee: a number counts as known if a gift would find it, asked from the agent by the player's own platform id.
test('whether it is known', async () => {
  const ark = await arkServer();
  const isKnown = (of: typeof ark) => isSurvivorKnown(store.context, of);
  expect(await isKnown(ark)).toBe(false);
  ark.says.answer = found('333');
  expect(await isKnown(ark)).toBe(true);
  expect(ark.asked.every((task) => task.includes(ark.platformId))).toBe(true);
  expect(ark.asked).toHaveLength(2);
});

// Guarantee: the agent is asked for the number before each gift, and a new character's number is used immediately.
test('asked before each gift', async () => {
  const ark = await arkServer();
  const [first = ''] = await ark.buy();
  await play.run(ark.memberId);
  expect(await store.row(first)).toMatchObject({
    state: 'waiting',
    waits_for: 'survivor-number',
    attempts: 0,
    detail: 'The player’s survivor number was not found: There is no profile.',
  });
  ark.says.answer = found('111');
  await again(ark.memberId);
  expect(await store.row(first)).toMatchObject({ state: 'delivered' });
  expect(await stored(ark.playerId)).toEqual([
    { number: '111', source: 'agent', found_in: 'SavedArks/TheIsland/7656.arkprofile' },
  ]);
  ark.says.answer = found('222');
  await ark.buy();
  await play.run(ark.memberId);
  expect(ark.gifts).toEqual(['GiveItemNumToPlayer 111 7 1 0 0', 'GiveItemNumToPlayer 222 7 1 0 0']);
  expect(ark.asked.every((task) => task.includes(ark.platformId))).toBe(true);
});

// Guarantee: a number that was found before is not used when the agent cannot tell it now; one that staff set is, until
// an agent finds another.
test('nothing is guessed', async () => {
  const ark = await arkServer();
  ark.says.answer = found('333');
  await ark.buy();
  await play.run(ark.memberId);
  for (const answer of [
    none('Several worlds.'),
    { ...none(''), outcome: 'failed' as const },
    found('0'),
    found('12x'),
  ]) {
    ark.says.answer = answer;
    const [id = ''] = await ark.buy();
    await play.run(ark.memberId);
    expect(await store.row(id)).toMatchObject({ state: 'waiting', waits_for: 'survivor-number' });
    await store.database.pool.query(
      `update deliveries set state = 'cancelled', waits_for = null, ended_at = now() where id = $1`,
      [id],
    );
  }
  expect(ark.gifts).toHaveLength(1);
  await store.database.pool.query(
    `update survivor_numbers set number = '444', source = 'staff', found_in = null where player_id = $1`,
    [ark.playerId],
  );
  ark.says.answer = none('There is no profile.');
  await ark.buy();
  await play.run(ark.memberId);
  ark.says.answer = found('555');
  await ark.buy();
  await play.run(ark.memberId);
  expect(ark.gifts.slice(1)).toEqual(['GiveItemNumToPlayer 444 7 1 0 0', 'GiveItemNumToPlayer 555 7 1 0 0']);
  expect(await stored(ark.playerId)).toMatchObject([{ number: '555', source: 'agent' }]);
});

const setByStaff = (playerId: string, serverId: string, number: string) =>
  store.database.pool.query(
    `insert into survivor_numbers (player_id, server_id, number, source) values ($1, $2, $3, 'staff')`,
    [playerId, serverId, number],
  );

// Guarantee: an agent that is away, or too old to look survivors up, is not asked; the number that staff set is used
// instead, and nothing else.
test('nobody to ask', async () => {
  const old = await arkServer(['power']);
  const away = await arkServer();
  away.says.answer = found('666');
  const ofAway = { playerId: away.playerId, platformId: away.platformId, serverId: away.serverId };
  expect(await away.look(ofAway)).toEqual({ number: '666' });
  away.agent.socket.terminate();
  await eventually(() => expect(store.gateway.tasks.machineOf(away.serverId).takesTasks).toBe(false));
  for (const { look, playerId, platformId, serverId } of [old, away]) {
    const answer = await look({ playerId, platformId, serverId });
    expect(answer).toEqual({ number: null, detail: expect.any(String) });
    await store.database.pool.query('delete from survivor_numbers where player_id = $1', [playerId]);
    await setByStaff(playerId, serverId, '777');
    expect(await look({ playerId, platformId, serverId })).toEqual({ number: '777' });
  }
  expect(old.asked).toEqual([]);
  expect(away.asked).toHaveLength(1);
});

// Guarantee: an agent is not asked for a player without a known platform id; the agent of one server answers for no other.
test('asked of the right agent, by the right player', async () => {
  const [one, other] = [await arkServer(), await arkServer()];
  one.says.answer = found('888');
  expect(await one.look({ playerId: one.playerId, platformId: null, serverId: one.serverId })).toMatchObject({
    number: null,
  });
  expect(one.asked).toEqual([]);
  other.says.answer = none('There is no profile.');
  const { playerId, platformId } = one;
  expect(await one.look({ playerId, platformId, serverId: other.serverId })).toMatchObject({ number: null });
  expect([one.asked.length, other.asked.length]).toEqual([0, 1]);
  expect(await stored(playerId)).toEqual([]);
});

// Guarantee: an agent's answer is a valid number of the game or none: nothing else reaches a command, the database or people unfiltered.
test.each<[string, TaskResult]>([
  ['no profile', none('No profile of this player was found.')],
  ['two profiles', none('Two profiles of this player were found: a.arkprofile, b.arkprofile.')],
  ['a command behind the number', found('1\ndestroywilddinos')],
  ['a second argument', found('1 2')],
  ['a number below zero', found('-1')],
  ['a number that is too long', found('9'.repeat(11))],
  ['digits of another script', found('\u0661\u0662')],
  ['a number that is none in JSON', { ...found(''), value: { number: 12 } }],
  ['a list', { ...found(''), value: { number: ['1'] } }],
  ['an object', { ...found(''), value: { number: { toString: '1' } } }],
  ['no value', { ...found(''), value: null }],
  ['a reason that is too long, with half a character', none(`${'x'.repeat(1900)}\ud800\0`)],
])('an answer with %s', async (_name, answer) => {
  const { look, says, playerId, platformId, serverId } = await arkServer();
  says.answer = answer;
  const told = await look({ playerId, platformId, serverId });
  expect(told).toEqual({ number: null, detail: expect.any(String) });
  if ('detail' in told) {
    expect(told.detail.length).toBeLessThan(700);
    expect(told.detail.isWellFormed()).toBe(true);
    expect(told.detail).not.toContain('\0');
  }
  expect(await stored(playerId)).toEqual([]);
});

// Guarantee: where a number was read is stored in a form that the database takes, however it was reported.
test.each([
  ['too long', 'x'.repeat(5000)],
  ['with half a character', 'a\ud800\0b'],
  ['no text', 7],
])('a place that is %s', async (_name, from) => {
  const { look, says, playerId, platformId, serverId } = await arkServer();
  says.answer = { outcome: 'done', detail: null, value: { number: '999', from } };
  expect(await look({ playerId, platformId, serverId })).toEqual({ number: '999' });
  const [row] = await stored(playerId);
  expect(row).toMatchObject({ number: '999', source: 'agent' });
  expect((row?.found_in ?? '').length).toBeLessThanOrEqual(500);
});
