import { expect, test } from 'vitest';
import type { GameActions } from '../game.ts';
import { sevenDaysToDie } from './seven-days-to-die.ts';

const steamId = '76561198010715714';
const player = { name: 'Bob', platformId: `steam:${steamId}`, handle: '171' };
const gift = { player, item: 'gunHandgunT1Pistol', quantity: 2 };
const { actions } = sevenDaysToDie;

const renderGift = (input: Partial<GameActions['give']> = {}) => actions.give?.render({ ...gift, ...input });
const readGift = (reply: string) => actions.give?.read(reply, gift).verdict;

test('gifts are rendered', () => {
  expect(renderGift()).toEqual({ command: 'give 171 gunHandgunT1Pistol 2' });
  expect(renderGift({ quality: 6, item: 'cobblestoneShapes:cube' })).toEqual({
    command: 'give 171 cobblestoneShapes:cube 2 6',
  });
  expect(renderGift({ player: { platformId: `eos:${'a'.repeat(32)}`, name: 'Bob' } })).toEqual({
    command: `give EOS_${'a'.repeat(32)} gunHandgunT1Pistol 2`,
  });
  expect(renderGift({ player: { name: 'Bob the 2nd, Jr' } })).toEqual({
    command: 'give "Bob the 2nd, Jr" gunHandgunT1Pistol 2',
  });
});

// Guarantee: no gift contains a second argument, or goes to a player whose name is an id.
test('gifts that could mean something else are refused', () => {
  for (const name of [
    '',
    ' Bob',
    'Bob "x',
    'Bob\\',
    'Bob\nshutdown',
    '171',
    '-1',
    `Steam_${steamId}`,
    'eos_x',
  ])
    expect(renderGift({ player: { name } })).toHaveProperty('refused');
  expect(renderGift({ player: {} })).toHaveProperty('refused');
  for (const item of ['', 'gun pistol', 'gun"', 'gun\n', '-x', 'é', 'x'.repeat(129)])
    expect(renderGift({ item })).toHaveProperty('refused');
  for (const quantity of [0, -5, 1.5, 32_768]) expect(renderGift({ quantity })).toHaveProperty('refused');
  for (const quality of [0, 7, 1.5]) expect(renderGift({ quality })).toHaveProperty('refused');
});

// Guarantee: every reply of the game to a gift is understood, and two of them together prove nothing.
test('what became of a gift', () => {
  expect(readGift('Dropped item')).toBe('done');
  expect(readGift('\r\nDropped item\r\n')).toBe('done');
  for (const reply of [
    'Item not found.',
    'Amount is not an integer or not greater than zero.',
    'Quality is not an integer or not greater than zero.',
    'Wrong number of arguments, expected 3 or 4, found 5.',
    "*** ERROR: unknown command 'give'",
  ])
    expect(readGift(reply)).toBe('failed');
  expect(readGift('Playername or entity id not found.')).toBe('later');
  expect(readGift('Playername or entity ID not found.')).toBe('later');
  for (const reply of [
    '',
    'Dropped',
    'Dropped item.',
    'Dropped items',
    'Dropped item\nDropped item',
    'Dropped item\nItem not found.',
    'Item not found.\nPlayername or entity id not found.',
    'Item not found.\nsomething else',
    'World saved',
    'Total of 1 in the game',
  ])
    expect(readGift(reply)).toBe('unproven');
});

test('speech', () => {
  expect(actions.broadcast?.render({ message: 'say "hi"\nshutdown' })).toEqual({
    command: `say "say 'hi' shutdown"`,
  });
  expect(actions.broadcast?.read('', { message: 'hi' }).verdict).toBe('unproven');
  const told = { player, message: 'hi' };
  expect(actions.message?.render(told)).toEqual({ command: 'pm 171 "hi"' });
  expect(actions.message?.read('Message to player "Bob" sent with sender "Server"', told).verdict).toBe(
    'done',
  );
  expect(actions.message?.read('Message to player "Alex" sent with sender "Server"', told).verdict).toBe(
    'unproven',
  );
  expect(actions.message?.read('Playername or entity ID not found.', told).verdict).toBe('later');
  expect(actions.message?.render({ player, message: '\t' })).toHaveProperty('refused');
});

// Guarantee: a broadcast is proven by the game's own line in its chat, and by no player's words.
test('a broadcast in the chat', () => {
  const read = (reply: string) => actions.broadcast?.read(reply, { message: 'hi' }).verdict;
  const chat = `Chat (from '-non-player-', entity id '-1', to 'Global'): `;
  expect(read(`${chat}hi`)).toBe('done');
  expect(read(`${chat}'Server': hi`)).toBe('done');
  expect(read(`2026-11-21T10:00:00 123.456 INF ${chat}hi`)).toBe('done');
  expect(read(`${chat}bye`)).toBe('unproven');
  expect(read(`${chat}hi\n${chat}hi`)).toBe('unproven');
  expect(read(`Chat (from 'Steam_1', entity id '171', to 'Global'): 'Bob': ${chat}hi`)).toBe('unproven');
});

// Guarantee: a ban is proven although the game also kicks the player.
test('a ban of somebody who is there', () => {
  const until = 'banned until 2126-07-29 22:31:50, reason: bye.';
  const kicked = 'Kicking player (Banned until: 2126-07-29 22:31:50, reason: bye.): EntityID=171';
  const input = { player, reason: 'bye' };
  expect(actions.ban?.read(`Steam_${steamId} ${until}\n${kicked}`, input).verdict).toBe('done');
  expect(actions.ban?.read(kicked, input).verdict).toBe('unproven');
});

test('saving', () => {
  expect(actions.save?.render({})).toEqual({ command: 'saveworld' });
  expect(actions.save?.read('World saved', {}).verdict).toBe('done');
  expect(actions.save?.read('', {}).verdict).toBe('unproven');
});

// Guarantee: no one is kicked by a name, which the game would also find inside other names.
test('kicks', () => {
  expect(actions.kick?.render({ player, reason: 'being "rude"' })).toEqual({
    command: `kick 171 "being 'rude'"`,
  });
  expect(actions.kick?.render({ player, reason: '' })).toEqual({ command: 'kick 171' });
  expect(actions.kick?.render({ player: { name: 'Bob' }, reason: '' })).toHaveProperty('refused');
  const read = (reply: string) => actions.kick?.read(reply, { player, reason: 'rude' }).verdict;
  expect(read('Kicking Player Bob: rude')).toBe('done');
  expect(read('Kicking Player Alex: rude')).toBe('unproven');
  expect(read('"171" is not a valid entity id, player name or user id.')).toBe('later');
  expect(actions.kick?.read('Kicking Player Bob: ', { player, reason: '' }).verdict).toBe('done');
});

test('bans', () => {
  const input = { player, reason: 'rude' };
  expect(actions.ban?.render(input)).toEqual({ command: `ban add Steam_${steamId} 100 years "rude"` });
  expect(actions.ban?.render({ player: { handle: '171', name: 'Bob' }, reason: '' })).toHaveProperty(
    'refused',
  );
  const read = (reply: string) => actions.ban?.read(reply, input).verdict;
  const banned = 'banned until 2126-11-21 10:00:00, reason: rude.';
  expect(read(`Steam_${steamId} ${banned}`)).toBe('done');
  expect(read(`EOS_${'a'.repeat(32)} ${banned}`)).toBe('done');
  expect(
    read(`Steam_${steamId} ${banned}\nSteam Family Sharing license owner Steam_76561198000000000 ${banned}`),
  ).toBe('done');
  expect(read(`Steam_76561198000000000 ${banned}`)).toBe('unproven');
  expect(read(`Steam_${steamId} ${banned}\nSteam_76561198000000000 ${banned}`)).toBe('unproven');
  expect(actions.unban?.render({ player })).toEqual({ command: `ban remove Steam_${steamId}` });
  const eos = { platformId: `eos:${'a'.repeat(32)}` };
  const known = { ...player, listedAs: eos.platformId };
  expect(actions.ban?.render({ player: known, reason: '' })).toEqual({
    command: `ban add EOS_${'a'.repeat(32)} 100 years`,
  });
  expect(actions.ban?.read(`EOS_${'b'.repeat(32)} ${banned}`, { player: known, reason: '' }).verdict).toBe(
    'unproven',
  );
  expect(actions.unban?.read(`EOS_${'a'.repeat(32)} removed from ban list.`, { player: eos }).verdict).toBe(
    'done',
  );
  expect(actions.unban?.read('"x" is not a valid user id.', { player }).verdict).toBe('failed');
});

test('whitelist', () => {
  const add = actions['whitelist-add'];
  const remove = actions['whitelist-remove'];
  expect(add?.render({ player })).toEqual({ command: `whitelist add Steam_${steamId}` });
  expect(
    add?.read(`Steam_${steamId} added to whitelist.\nWhitelist only mode has been ACTIVATED!`, { player })
      .verdict,
  ).toBe('done');
  expect(remove?.render({ player })).toEqual({ command: `whitelist remove Steam_${steamId}` });
  expect(remove?.read(`Steam_${steamId} removed from the whitelist.`, { player }).verdict).toBe('done');
  expect(remove?.read(`Steam_${steamId} added to whitelist.`, { player }).verdict).toBe('unproven');
});

// Guarantee: a player who may be on the game's list under another id counts neither as let in again nor as shut out.
test('a list is kept under several ids', () => {
  const unbanned = actions.unban?.read(`Steam_${steamId} removed from ban list.`, { player });
  expect(unbanned).toEqual({ verdict: 'unproven', reason: expect.stringContaining('EOS id') });
  const removed = actions['whitelist-remove']?.read(`Steam_${steamId} was not on the whitelist.`, { player });
  expect(removed).toEqual({ verdict: 'unproven', reason: expect.stringContaining('EOS id') });
});
