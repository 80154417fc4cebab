import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startMinecraft } from './minecraft-simulator.ts';
import { openRawRcon } from './raw-rcon-client.ts';
import { encodeFrame } from './source-rcon-frames.ts';

// Guarantee: only the right password opens the console, and before that only frames of unknown types are answered.
test('Minecraft: login', async () => {
  await using game = await startMinecraft();
  using client = await openRawRcon(game.port);
  await client.sendFrame(5, 2, 'list');
  expect(await client.frames(1)).toMatchObject([{ id: -1, type: 2, text: '' }]);
  client.forget();
  await client.sendFrame(6, 3, 'wrong');
  expect(await client.frames(1)).toMatchObject([{ id: -1, type: 2 }]);
  client.forget();
  await client.sendFrame(7, 100);
  expect(await client.frames(1)).toMatchObject([{ id: 7, type: 0, text: 'Unknown request 64' }]);
  client.forget();
  await client.sendFrame(8, 3, game.password);
  expect(await client.frames(1)).toMatchObject([{ id: 8, type: 2, text: '' }]);
  expect(await client.run('list')).toBe('There are 0 of a max of 20 players online: ');
  game.quirks.refusePasswords = true;
  client.forget();
  await client.sendFrame(9, 3, game.password);
  expect(await client.frames(1)).toMatchObject([{ id: -1 }]);
  await expect(startMinecraft({ password: '' })).rejects.toThrow(/password/);
});

// Guarantee: as in the game, a frame that does not arrive as one complete segment ends the session, and nothing is executed.
test.each([
  [
    'two frames in one segment',
    Buffer.concat([encodeFrame(1, 2, 'save-all'), encodeFrame(2, 2, 'save-all')]),
  ],
  ['half of a frame', encodeFrame(1, 2, 'save-all').subarray(0, 15)],
  ['a payload of 1447 bytes', encodeFrame(1, 2, `say ${'x'.repeat(1443)}`)],
  ['a size that lies', Buffer.concat([Buffer.from([200, 0, 0, 0]), Buffer.alloc(20)])],
])('Minecraft drops the session for %s', async (_, bytes) => {
  await using game = await startMinecraft();
  using client = await openRawRcon(game.port, game.password);
  await client.send(bytes);
  await client.closed;
  expect(game.world.received).toEqual([]);
});

test('Minecraft takes a payload of 1446 bytes', async () => {
  await using game = await startMinecraft();
  using client = await openRawRcon(game.port, game.password);
  expect(await client.run(`say ${'x'.repeat(1442)}`)).toBe('');
  expect(game.world.messages[0]?.text).toHaveLength(1442);
});

// Guarantee: replies are cut by characters, not bytes; nothing follows a frame that is exactly full.
test.each([
  [0, [0]],
  [4095, [4095]],
  [4096, [4096]],
  [4097, [4096, 1]],
  [10_240, [4096, 4096, 2048]],
])('Minecraft cuts a reply of %i characters into frames of %j', async (length, expected) => {
  await using game = await startMinecraft();
  const reply = 'äß漢'.repeat(length).slice(0, length);
  game.quirks.replies.set('long', reply);
  using client = await openRawRcon(game.port, game.password);
  await client.sendFrame(3, 2, 'long');
  const frames = await client.frames(expected.length);
  await client.sendFrame(4, 100);
  const all = await client.frames(expected.length + 1);
  expect(frames.map(({ text }) => text.length)).toEqual(expected);
  expect(frames.map(({ text }) => text).join('')).toBe(reply);
  expect(all.at(-1)).toMatchObject({ id: 4, text: 'Unknown request 64' });
  expect(game.world.commands).toEqual(['long']);
});

test('Minecraft loses a character outside the basic plane that a frame boundary cuts through', async () => {
  await using game = await startMinecraft();
  game.quirks.replies.set('long', `${'x'.repeat(4095)}😀y`);
  using client = await openRawRcon(game.port, game.password);
  await client.sendFrame(3, 2, 'long');
  const frames = await client.frames(2);
  expect(frames.map(({ text }) => text).join('')).toBe(`${'x'.repeat(4095)}??y`);
});

// Guarantee: every command replies as the game does, and does in the world what it says.
test('Minecraft: replies and their truth', async () => {
  await using game = await startMinecraft();
  const { world } = game;
  using client = await openRawRcon(game.port, game.password);
  const { platformId } = world.join('Steve');
  world.join('Alex');
  const replies = {
    list: 'There are 2 of a max of 20 players online: Steve, Alex',
    'list uuids': `There are 2 of a max of 20 players online: Steve (${platformId}), Alex (${world.named('Alex')?.platformId})`,
    'give Steve minecraft:iron_ingot 64': 'Gave 64 [Iron Ingot] to Steve',
    'give steve diamond_sword[custom_name="A B",unbreakable={}]': 'Gave 1 [Diamond Sword] to Steve',
    'give @a torch 3': 'Gave 3 [Torch] to 2 players',
    'give Steve minecraft:nope 1': "Unknown item 'minecraft:nope'\n...craft:nope<--[HERE]",
    'give Nobody minecraft:torch': 'No player was found',
    'give Steve minecraft:diamond_sword 101': "Can't give more than 100 of [Diamond Sword]",
    'give Steve torch many': 'Expected integer\n...eve torch <--[HERE]',
    'give Steve torch 0': 'Integer must not be less than 1, found 0\n...eve torch <--[HERE]',
    give: 'Unknown or incomplete command, see below for error\ngive<--[HERE]',
    'say hello  there': '',
    'tell Alex psst': 'You whisper to Alex: psst',
    'msg Nobody psst': 'No player was found',
    'save-all': 'Saving the game (this may take a moment!)\nSaved the game',
    'whitelist list': 'There are no whitelisted players',
    'whitelist add Steve': 'Added Steve to the whitelist',
    'whitelist  add Steve': 'Player is already whitelisted',
    'whitelist  list': 'There are 1 whitelisted player(s): Steve',
    'whitelist remove Steve': 'Removed Steve from the whitelist',
    'whitelist  remove Steve': 'Player is not whitelisted',
    'whitelist add .Cool_Guy': 'That player does not exist',
    'pardon .Cool_Guy': 'That player does not exist',
    'kick Alex being rude': 'Kicked Alex: being rude',
    'kick  Alex': 'No player was found',
    'ban Steve griefing': 'Banned Steve: griefing',
    'ban  Steve': 'Nothing changed. The player is already banned',
    'pardon Steve': 'Unbanned Steve',
    'pardon  Steve': "Nothing changed. The player isn't banned",
    'nonsense here': 'Unknown or incomplete command, see below for error\n...sense here<--[HERE]',
  };
  for (const [command, reply] of Object.entries(replies))
    expect(await client.run(command), command).toBe(reply);
  expect(await client.run('help')).toContain('/give');

  expect(world.given).toEqual([
    { player: 'Steve', item: 'minecraft:iron_ingot', quantity: 64, quality: null },
    { player: 'Steve', item: 'minecraft:diamond_sword', quantity: 1, quality: null },
    { player: 'Steve', item: 'minecraft:torch', quantity: 3, quality: null },
    { player: 'Alex', item: 'minecraft:torch', quantity: 3, quality: null },
  ]);
  expect(world.messages).toEqual([
    { to: null, text: 'hello there' },
    { to: 'Alex', text: 'psst' },
  ]);
  expect(world.saves).toBe(1);
  expect(world.players).toEqual([]);
  expect(world.commands).not.toContain('nonsense here');
  expect(world.received).toContain('nonsense here');
});

// Guarantee: replies can be spelled as by the plain game, by Paper and by name plug-ins.
test('Minecraft: spellings of a reply', async () => {
  await using game = await startMinecraft({ quirks: { decorate: (name) => `[VIP] ${name}` } });
  game.world.join('Steve');
  using client = await openRawRcon(game.port, game.password);
  expect(await client.run('give Steve torch')).toBe('Gave 1 [Torch] to [VIP] Steve');
  expect(await client.run('list')).toContain(': [VIP] Steve');
  game.quirks.lineFeeds = 'none';
  expect(await client.run('nope')).toBe('Unknown or incomplete command, see below for errornope<--[HERE]');
  game.quirks.lineFeeds = 'after';
  expect(await client.run('save-all')).toBe('Saving the game (this may take a moment!)\nSaved the game\n');
});

// Guarantee: the log file has the game's own lines, a banned player stays out, and a returning player is the same one.
test('Minecraft: log and players', async () => {
  await using folder = await temporaryFolder();
  const logFile = join(folder.path, 'logs/latest.log');
  await using game = await startMinecraft({ logFile, now: () => new Date(2026, 10, 21, 12, 34, 56) });
  const { world } = game;
  const steve = world.join('Steve');
  world.chat('Steve', 'Alex joined the game');
  world.leave('Steve');
  expect(world.join('Steve')).toEqual(steve);
  expect(() => world.join('Steve')).toThrow(/already/);
  expect(() => world.chat('Alex', 'hi')).toThrow(/not on the server/);
  using client = await openRawRcon(game.port, game.password);
  await client.run('ban Steve');
  expect(world.mayJoin('Steve')).toBe(false);
  expect(() => world.join('Steve')).toThrow(/banned/);

  const lines = (await readFile(logFile, 'utf8')).split('\n');
  for (const line of [
    '[12:34:56] [User Authenticator #1/INFO]: UUID of player Steve is 5627dd98-e6be-3c21-b8a8-e92344183641',
    '[12:34:56] [Server thread/INFO]: Steve joined the game',
    '[12:34:56] [Server thread/INFO]: <Steve> Alex joined the game',
    '[12:34:56] [Server thread/INFO]: Steve left the game',
    '[12:34:56] [Server thread/INFO]: [Rcon: Banned Steve: Banned by an operator.]',
  ])
    expect(lines).toContain(line);
  const old = join(folder.path, 'logs/2026-11-21-1.log');
  game.log.rotate(old);
  game.log.writeRaw('cut in the mid');
  expect(await readFile(logFile, 'utf8')).toBe('cut in the mid');
  expect(await readFile(old, 'utf8')).toBe(lines.join('\n'));
});
