import { expect, test } from 'vitest';
import type { GameActions } from '../game.ts';
import { arkAscended, arkEvolved } from './ark.ts';

const steamId = '76561198025588951';
const eosId = '0002c0ffee11d00d4242beef00c0ffee';
const accepted = 'Server received, But no response!! \n ';
const player = { platformId: `steam:${steamId}` };
const metal =
  "Blueprint'/Game/PrimalEarth/CoreBlueprints/Resources/PrimalItemResource_MetalIngot.PrimalItemResource_MetalIngot'";
const gift = { player: { ...player, handle: '123456789' }, item: metal, quantity: 50 };
const { actions } = arkEvolved;

const renderGift = (input: Partial<GameActions['give']> = {}) => actions.give?.render({ ...gift, ...input });

// Guarantee: a gift command for ARK names one survivor by number, one item, and nothing else.
test('gifts are rendered', () => {
  expect(renderGift()).toEqual({ command: `GiveItemToPlayer 123456789 "${metal}" 50 0 0` });
  expect(renderGift({ item: `"${metal}"` })).toEqual(renderGift());
  expect(renderGift({ item: metal.slice("Blueprint'".length, -1), quality: 20 })).toEqual({
    command: `GiveItemToPlayer 123456789 "${metal}" 50 20 0`,
  });
  expect(renderGift({ item: '71' })).toEqual({ command: 'GiveItemNumToPlayer 123456789 71 50 0 0' });
});

test('gifts that could mean something else are refused', () => {
  for (const item of [
    '',
    '0',
    '71 5',
    'MetalIngot',
    `${metal} 5`,
    `${metal}"`,
    `"${metal}`,
    "Blueprint'/Game/x' 1 0 0 | Blueprint'/Game/y'",
    "Blueprint'/Game/x\n'",
    `Blueprint'/${'x'.repeat(301)}'`,
  ])
    expect(renderGift({ item })).toHaveProperty('refused');
  for (const quantity of [0, 101, 2.5, Number.NaN])
    expect(renderGift({ quantity })).toHaveProperty('refused');
  for (const quality of [-1, 0.5, 101]) expect(renderGift({ quality })).toHaveProperty('refused');
});

// Guarantee: a Steam or EOS id never counts as a survivor number.
test('gifts need the survivor', () => {
  for (const handle of [undefined, steamId, eosId, '0', '4294967296', '-1', '1 2'])
    expect(renderGift({ player: { ...player, handle } })).toHaveProperty(
      'refused',
      expect.stringContaining('by survivor number'),
    );
});

// Guarantee: over RCON no gift counts as delivered: ARK's answer is the same whatever happened to it.
test('no reply proves a gift or a message', () => {
  for (const reply of [
    '',
    accepted,
    'Keep Alive',
    'World Saved',
    `${steamId} Kicked`,
    'Gave 50 MetalIngot to 123456789',
  ]) {
    expect(actions.give?.read(reply, gift).verdict).toBe('unproven');
    expect(actions.message?.read(reply, { player, message: 'hi' }).verdict).toBe('unproven');
    expect(actions.broadcast?.read(reply, { message: 'hi' }).verdict).toBe('unproven');
  }
});

test('orders about a player take the id of the platform', () => {
  expect(actions.kick?.render({ player, reason: 'no' })).toEqual({ command: `KickPlayer ${steamId}` });
  expect(actions.ban?.render({ player: { handle: eosId.toUpperCase() }, reason: '' })).toEqual({
    command: `BanPlayer ${eosId}`,
  });
  expect(actions.unban?.render({ player: { platformId: `eos:${eosId}` } })).toEqual({
    command: `UnbanPlayer ${eosId}`,
  });
  expect(actions['whitelist-add']?.render({ player })).toEqual({
    command: `AllowPlayerToJoinNoCheck ${steamId}`,
  });
  expect(actions['whitelist-remove']?.render({ player })).toEqual({
    command: `DisallowPlayerToJoinNoCheck ${steamId}`,
  });
  for (const other of [
    {},
    { name: 'Bob' },
    { handle: '123456789' },
    { platformId: 'minecraft:x' },
    { handle: `${steamId} ` },
  ])
    expect(actions.kick?.render({ player: other, reason: '' })).toHaveProperty('refused');
});

test.each([
  ['kick', 'Kicked'],
  ['ban', 'Banned'],
  ['unban', 'Unbanned'],
  ['whitelist-add', 'Allow Player To Join No Check'],
  ['whitelist-remove', 'Disallowed Player To Join No Checknned'],
] as const)('%s is proven only by the answer about this player', (action, answer) => {
  const read = (reply: string) => actions[action]?.read(reply, { player, reason: '' }).verdict;
  expect(read(`${steamId} ${answer} \n `)).toBe('done');
  for (const reply of [
    accepted,
    '',
    answer,
    `76561198000000000 ${answer}`,
    `${steamId} ${answer} 2`,
    `${steamId} ${answer}\n76561198000000000 ${answer}`,
    `${steamId} ${answer}\n${accepted}`,
    `${steamId} Exploded`,
  ])
    expect(read(reply)).toBe('unproven');
});

test('speech is one line and ends no argument', () => {
  expect(actions.broadcast?.render({ message: 'a\n"b"' })).toEqual({ command: "Broadcast a 'b'" });
  expect(actions.say?.render({ message: 'a | DoExit\n"b"' })).toEqual({
    command: "ServerChat a ¦ DoExit 'b'",
  });
  expect(actions.broadcast?.render({ message: 'a | DoExit' })).toEqual({ command: 'Broadcast a ¦ DoExit' });
  expect(actions.message?.render({ player, message: 'hi\0you' })).toEqual({
    command: `ServerChatTo "${steamId}" hi you`,
  });
  expect(actions.message?.render({ player, message: ' ' })).toHaveProperty('refused');
  expect(actions.broadcast?.render({ message: '𝄞'.repeat(1100) })).toHaveProperty('refused');
});

test('saving', () => {
  expect(actions.save?.render({})).toEqual({ command: 'SaveWorld' });
  expect(actions.save?.read('World Saved \n ', {}).verdict).toBe('done');
  expect(actions.save?.read('World Saved\nWorld Saved', {}).verdict).toBe('unproven');
  expect(actions.save?.read(accepted, {}).verdict).toBe('unproven');
});

// Guarantee: a name can neither hide its player nor claim another's id, and a list with a gap is refused.
test('the list of players', () => {
  const { read } = arkEvolved.listPlayers;
  expect(
    read(`\n0. CyFreeze, ${steamId} \n1. Bob, 76561198000000000, ${eosId}\n2. , 2535405290989773 \n `),
  ).toEqual({
    value: [
      { name: 'CyFreeze', platformId: `steam:${steamId}`, handle: steamId },
      { name: 'Bob, 76561198000000000', platformId: `eos:${eosId}`, handle: eosId },
      { name: '2535405290989773', platformId: null, handle: '2535405290989773' },
    ],
  });
  expect(read('No Players Connected \n ')).toEqual({ value: [] });
  for (const reply of [
    '',
    accepted,
    'Keep Alive',
    `1. Bob, ${steamId}`,
    `0. Bob, ${steamId}\nKeep Alive`,
    '0. Bob',
  ])
    expect(read(reply)).toHaveProperty('unreadable');
});

test('Evolved writes who comes and goes', () => {
  const read = (said: string) =>
    arkEvolved.readLogLine(`[2020.05.06-11.04.56:123][ 45]2020.05.06_11.04.56: ${said}`);
  const bob = { name: 'Bob', platformId: null };
  expect(read('Bob joined this ARK!')).toEqual({ kind: 'join', player: bob });
  expect(arkEvolved.readLogLine('2020.05.06_11.04.56: Bob left this ARK!')).toEqual({
    kind: 'leave',
    player: bob,
  });
  expect(read('Bob (The Builder): hello: you')).toEqual({ kind: 'chat', player: bob, text: 'hello: you' });
  const imitation = `Bob [UniqueNetId:${eosId} Platform:None]`;
  expect(read(`${imitation} joined this ARK!`)).toEqual({
    kind: 'join',
    player: { name: imitation, platformId: null },
  });
});

test('Ascended writes ids, too', () => {
  const read = (said: string) =>
    arkAscended.readLogLine(`[2026.09.13-18.48.40:782][696]2026.09.13_18.48.40: ${said}`);
  expect(read(`Bob [UniqueNetId:${eosId} Platform:None] joined this ARK!`)).toEqual({
    kind: 'join',
    player: { name: 'Bob', platformId: `eos:${eosId}` },
  });
  expect(
    read(
      `Bob [UniqueNetId:${'f'.repeat(32)} Platform:None] [UniqueNetId:${eosId} Platform:None] left this ARK!`,
    ),
  ).toEqual({
    kind: 'leave',
    player: { name: `Bob [UniqueNetId:${'f'.repeat(32)} Platform:None]`, platformId: `eos:${eosId}` },
  });
});

// Guarantee: Ascended is understood in the language of its server.
test.each([
  ['ist diesem ARK beigetreten!', 'join'],
  ['hat dieses ARK verlassen!', 'leave'],
  ['entrou neste ARK!', 'join'],
  ['saiu deste ARK!', 'leave'],
  ['a rejoint cette ARK !', 'join'],
  ['a quitté cette ARK !', 'leave'],
  ['присоединился к этому ARK!', 'join'],
  ['покинул этот ARK!', 'leave'],
  ['がこのARKに参加しました！', 'join'],
])('Ascended: %s', (sentence, kind) => {
  const stamp = '[2026.09.13-18.48.40:782][696]2026.09.13_18.48.40: ';
  const line = `${stamp}Bob [UniqueNetId:${eosId} Platform:None] ${sentence}`;
  expect(arkAscended.readLogLine(line)).toEqual({
    kind,
    player: { name: 'Bob', platformId: `eos:${eosId}` },
  });
  expect(arkEvolved.readLogLine(line)).toBeNull();
});

// Guarantee: nothing that a player says is read as a join or a leave.
test('imitations', () => {
  const stamp = '2020.05.06_11.04.56: ';
  expect(arkEvolved.readLogLine(`${stamp}Bob (Bobby): Eve joined this ARK!`)).toMatchObject({ kind: 'chat' });
  for (const line of [
    'Eve joined this ARK!',
    `${stamp}SERVER: Eve joined this ARK!`,
    `${stamp}Tribe Foxes, ID 123: Day 1, 12:00:00: Eve joined this ARK!`,
    `${stamp}Eve joined this ARK! (again)`,
    `${stamp}a:b (Bobby): Eve [UniqueNetId:${eosId} Platform:None] joined this ARK!`,
    `${stamp}AdminCmd: ListPlayers (PlayerName: Bob, ARKID: 1, SteamID: 2)`,
    '[2020.05.06-11.04.56:123][ 45]LogNet (x): hello',
    `${stamp}${'x'.repeat(4000)} joined this ARK!`,
    '',
  ])
    for (const game of [arkEvolved, arkAscended]) expect(game.readLogLine(line)).toBeNull();
});
