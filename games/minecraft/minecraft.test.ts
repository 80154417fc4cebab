import { expect, test } from 'vitest';
import type { GameActions, PlayerReference } from '../game.ts';
import { minecraft } from './minecraft.ts';

const steve = { name: 'Steve' };
const gift = { player: steve, item: 'minecraft:iron_ingot', quantity: 64 };
const { broadcast, save, give, message, kick, ban, unban } = minecraft.actions;
const whitelistAdd = minecraft.actions['whitelist-add'];
const whitelistRemove = minecraft.actions['whitelist-remove'];

const readGive = (reply: string, input: GameActions['give'] = gift) => give?.read(reply, input).verdict;

// Guarantee: a gift is done only when the game says that this player received this amount.
test.each([
  'Gave 64 [Iron Ingot] to Steve',
  'Gave 64 [Iron Ingot] to Steve\n',
  'Gave 64 [Barra di ferro] to [VIP] Steve',
  '§6Gave 64 §c[Iron Ingot]§r to §aSteve',
  'Given [Iron Ingot] * 64 to Steve',
  'Giving 64 of iron ingot to Steve.',
])('%j proves a gift', (reply) => {
  expect(readGive(reply)).toBe('done');
});

test.each([
  '',
  ' \n\0',
  'Gave 63 [Iron Ingot] to Steve',
  'Gave 640 [Iron Ingot] to Steve',
  'Gave 64 [Iron Ingot] to Steven',
  'Gave 64 [Iron Ingot] to .Steve',
  'Gave 64 [Iron Ingot] to Alex',
  'Gave 64 [Iron Ingot] to 3 players',
  'Gave 64 [Iron Ingot] to Ste',
  'Gave 64 [Iron Ingot]',
  'Gave 64 [Iron Ingot] to Steve\nGave 64 [Iron Ingot] to Steve',
  'Gave 64 [Iron Ingot] to SteveGave 64 [Iron Ingot] to Steve',
  'Gave 64 [Iron Ingot] to Steve\nNo player was found',
  'Gave 64 [Iron Ingot] to SteveNo player was found',
  "Gave 64 [Iron Ingot] to Steve\nUnknown item 'minecraft:nope'",
  'Giving 64 of iron ingot to Steve.\nNot enough space, 12 iron ingot was lost.',
  'There are 1 of a max of 20 players online: Steve',
  'Done.',
  `Gave 64 [${'x'.repeat(20_000)}] to Steve`,
])('%j proves nothing about a gift', (reply) => {
  expect(readGive(reply)).toBe('unproven');
});

test('a gift to nobody waits, and one that cannot be is over', () => {
  for (const reply of [
    'No player was found',
    'That player cannot be found',
    "Player 'Steve' cannot be found",
    'Error: Player not found.',
  ])
    expect(readGive(reply)).toBe('later');
  for (const reply of [
    "Unknown item 'minecraft:nope'",
    "Unknown item 'minecraft:nope'give Steve minecraft:nope 64<--[HERE]",
    "Unknown item 'minecraft:nope'\n...give Steve minecraft:nope<--[HERE]",
    "Can't give more than 6400 of [Iron Ingot]",
    'There is no such item with name minecraft:nope',
    'The number you have entered (65) is too big, it must be at most 64',
    'Unknown or incomplete command, see below for error\ngive Steve<--[HERE]',
    'Incorrect argument for command\n...Steve nope<--[HERE]',
    '...iron_ingot ab<--[HERE]',
  ])
    expect(readGive(reply)).toBe('failed');
});

// Guarantee: a gift names one player and one item; nothing in it is a selector, another argument or another line.
test('gifts that could mean something else are refused', () => {
  const refuses = (input: Partial<GameActions['give']>) =>
    expect(give?.render({ ...gift, ...input })).toHaveProperty('refused');
  for (const name of [
    '@a',
    '@p[name=Steve]',
    '*',
    'Steve Alex',
    'Steve\nstop',
    'Stève',
    '',
    'a'.repeat(17),
    '"Steve"',
  ])
    refuses({ player: { name } });
  refuses({ player: {} });
  for (const item of [
    '',
    'iron ingot',
    'Iron_Ingot',
    'minecraft:iron_ingot 64',
    'iron_ingot\nstop',
    'iron_ingot[',
    'iron_ingot[a=1',
    'iron_ingot[a=1] 64',
    'iron_ingot[a=1]{b:1}',
    "iron_ingot[a='x]",
    'iron_ingot[a=1}}',
    'iron_ingot(a)',
    'a:b:c',
    `stone[a='${'x'.repeat(1000)}']`,
  ])
    refuses({ item });
  for (const quantity of [0, -1, 1.5, Number.NaN, 6401, Number.POSITIVE_INFINITY]) refuses({ quantity });
  refuses({ quality: 1 });
});

test('gifts are rendered', () => {
  expect(give?.render(gift)).toEqual({ command: 'give Steve minecraft:iron_ingot 64' });
  const sword = 'diamond_sword[enchantments={levels:{"minecraft:sharpness":5}},custom_name=\'"A ] b"\']';
  expect(give?.render({ player: { handle: '.Steve' }, item: sword, quantity: 1 })).toEqual({
    command: `give .Steve ${sword} 1`,
  });
  expect(give?.render({ ...gift, player: { name: '[VIP] Steve', handle: 'Steve' } })).toEqual({
    command: 'give Steve minecraft:iron_ingot 64',
  });
});

test('speech is one line and calls nobody', () => {
  expect(broadcast?.render({ message: ' hi\r\nall\0 @everyone ' })).toEqual({
    command: 'say hi all ＠everyone',
  });
  expect(broadcast?.render({ message: '\n' })).toHaveProperty('refused');
  expect(broadcast?.render({ message: 'é'.repeat(722) })).toHaveProperty('refused');
  expect(broadcast?.render({ message: 'é'.repeat(721) })).toHaveProperty('command');
  expect(broadcast?.read('', { message: 'hi' }).verdict).toBe('unproven');
  expect(broadcast?.read('[Rcon] hi', { message: 'hi' }).verdict).toBe('done');
  expect(broadcast?.read('[Rcon] ho', { message: 'hi' }).verdict).toBe('unproven');

  const told = { player: steve, message: 'No player was found' };
  expect(message?.render(told)).toEqual({ command: 'tell Steve No player was found' });
  expect(message?.read('You whisper to Steve: No player was found', told).verdict).toBe('done');
  expect(message?.read('You whisper to Alex: No player was found', told).verdict).toBe('unproven');
  expect(message?.read('No player was found', { ...told, message: 'hi' }).verdict).toBe('later');
});

test('saving', () => {
  const read = (reply: string) => save?.read(reply, {}).verdict;
  expect(save?.render({})).toEqual({ command: 'save-all' });
  expect(read('Saving the game (this may take a moment!)Saved the game')).toBe('done');
  expect(read('Saving the game (this may take a moment!)\nSaved the game\n')).toBe('done');
  expect(read('Saving...Saved the world')).toBe('done');
  expect(read('Saving the game (this may take a moment!)')).toBe('unproven');
  expect(read('Unable to save the game (is there enough disk space?)')).toBe('later');
  expect(
    read('Saving the game (this may take a moment!)Unable to save the game (is there enough disk space?)'),
  ).toBe('later');
});

test('kicks and bans', () => {
  const input = { player: steve, reason: 'griefing: again' };
  expect(kick?.render(input)).toEqual({ command: 'kick Steve griefing: again' });
  expect(kick?.render({ player: steve, reason: '\n' })).toEqual({ command: 'kick Steve' });
  expect(kick?.read('Kicked Steve: griefing: again', input).verdict).toBe('done');
  expect(kick?.read("Kicked Steve from the game: 'griefing: again'", input).verdict).toBe('done');
  expect(kick?.read('Kicked Steve: Kicked by an operator', { player: steve, reason: '' }).verdict).toBe(
    'done',
  );
  expect(kick?.read('Kicked Alex: griefing: again', input).verdict).toBe('unproven');
  expect(kick?.read('Kicked Steve: other', input).verdict).toBe('unproven');
  expect(kick?.read('No player was found', input).verdict).toBe('later');
  expect(ban?.read('Banned Steve: griefing: again', input).verdict).toBe('done');
  expect(ban?.read('Banned Steve: Banned by an operator.', { player: steve, reason: '' }).verdict).toBe(
    'done',
  );
  expect(ban?.read('Banned player Steve', input).verdict).toBe('done');
  expect(ban?.read('Nothing changed. The player is already banned', input).verdict).toBe('done');
  expect(ban?.read('That player does not exist', input).verdict).toBe('failed');
  expect(ban?.read('Could not ban player Steve', input).verdict).toBe('failed');
  expect(unban?.render({ player: steve })).toEqual({ command: 'pardon Steve' });
  expect(unban?.read('Unbanned Steve', { player: steve }).verdict).toBe('done');
  expect(unban?.read("Nothing changed. The player isn't banned", { player: steve }).verdict).toBe('done');
  expect(whitelistAdd?.render({ player: steve })).toEqual({ command: 'whitelist add Steve' });
  expect(whitelistAdd?.read('Added Steve to the whitelist', { player: steve }).verdict).toBe('done');
  expect(whitelistAdd?.read('Added Alex to the whitelist', { player: steve }).verdict).toBe('unproven');
  expect(whitelistAdd?.read('Player is already whitelisted', { player: steve }).verdict).toBe('done');
  expect(whitelistAdd?.read('That player does not exist', { player: steve }).verdict).toBe('failed');
  // GeyserMC/Floodgate#168
  const bedrock = { name: '.Steve', platformId: 'minecraft:00000000-0000-0000-0009-01f1b0392c35' };
  expect(whitelistAdd?.read('That player does not exist', { player: bedrock })).toEqual({
    verdict: 'failed',
    reason: expect.stringContaining('fwhitelist add 00000000-0000-0000-0009-01f1b0392c35'),
  });
  // GeyserMC/Geyser#4400: days after the player was there
  expect(unban?.read('That player does not exist', { player: bedrock }).reason).toContain(
    'banned-players.json',
  );
  expect(ban?.read('That player does not exist', { player: bedrock, reason: '' }).reason).toContain(
    'Bedrock',
  );
  expect(unban?.read('Unknown command', { player: bedrock }).reason).not.toContain('Bedrock');
  // GeyserMC/Floodgate#173, #650
  const spaced = { name: '.Cool Guy' };
  expect(whitelistAdd?.render({ player: { ...bedrock, ...spaced } })).toEqual({
    refused: expect.stringContaining('fwhitelist add 00000000-0000-0000-0009-01f1b0392c35'),
  });
  expect(whitelistRemove?.render({ player: spaced })).toEqual({
    refused: expect.stringContaining('fwhitelist remove "Cool Guy"'),
  });
  expect(unban?.render({ player: spaced })).toEqual({
    refused: expect.stringContaining('banned-players.json'),
  });
  expect(whitelistRemove?.read('Removed Steve from the whitelist', { player: steve }).verdict).toBe('done');
  expect(whitelistRemove?.read('Player is not whitelisted', { player: steve }).verdict).toBe('done');
});

// Guarantee: a Bedrock name is one word of a command whatever Floodgate puts before it, and never a selector; a reply about `*Steve` is
// not about Steve (GeyserMC/Floodgate#8, GeyserMC/Floodgate#184, GeyserMC/Geyser#700).
test('names that need quotes', () => {
  const { give: gives, kick, ban, message } = minecraft.actions;
  const gift = (player: PlayerReference) => gives?.render({ player, item: 'minecraft:stone', quantity: 1 });
  expect(gift({ name: '.Steve' })).toEqual({ command: 'give .Steve minecraft:stone 1' });
  expect(gift({ name: '*Steve' })).toEqual({ command: 'give "*Steve" minecraft:stone 1' });
  expect(gift({ name: '.Cool Guy' })).toEqual({ command: 'give ".Cool Guy" minecraft:stone 1' });
  const platformId = 'minecraft:00000000-0000-0000-0009-01f1b0392c35';
  expect(gift({ name: 'Cool Guy', platformId })).toEqual({ command: 'give "Cool Guy" minecraft:stone 1' });
  for (const name of ['Cool Guy', '@a', '*Steve" @a', '**Steve', '.Cool  Guy', 'Steve\n'])
    expect(gift({ name }), name).toHaveProperty('refused');
  expect(kick?.render({ player: { name: '*Steve' }, reason: 'no' })).toEqual({ command: 'kick "*Steve" no' });
  expect(message?.render({ player: { name: '*Steve' }, message: 'hi' })).toEqual({
    command: 'tell "*Steve" hi',
  });
  expect(ban?.render({ player: { name: '*Steve' }, reason: 'no' })).toEqual({ command: 'ban *Steve no' });
  expect(ban?.render({ player: { name: '.Cool Guy' }, reason: 'no' })).toHaveProperty('refused');
  const read = (reply: string, name: string) =>
    gives?.read(reply, { player: { name }, item: 'minecraft:stone', quantity: 1 }).verdict;
  expect(read('Gave 1 [Stone] to *Steve', '*Steve')).toBe('done');
  expect(read('Gave 1 [Stone] to *Steve', 'Steve')).not.toBe('done');
  expect(read('Gave 1 [Stone] to .Cool Guy', '.Cool Guy')).toBe('done');
});
