import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openRawClient, type RawClient } from './raw-client.ts';
import { startSevenDays } from './seven-days-simulator.ts';

const ready = "Press 'help' to get a list of all commands. Press 'exit' to end session.\r\n";
const stamped = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+\.\d{3} (?:INF|ERR) /;

/** Everything up to and including `text`; the received bytes are forgotten. */
const through = async (client: RawClient, text: string): Promise<string> => {
  const seen = await client.until((received) => (received.includes(text) ? received.toString() : null));
  client.forget();
  return seen;
};

const openConsole = async (port: number, password: string): Promise<RawClient> => {
  const client = await openRawClient(port);
  await client.send(`${password}\r\n`);
  await through(client, `${ready}\r\n`);
  return client;
};

let fences = 0;
/** The lines of a reply, without log lines. */
const run = async (client: RawClient, command: string): Promise<string[]> => {
  fences += 1;
  await client.send(`${command}\nfence${fences}\n`);
  const seen = await through(client, `*** ERROR: unknown command 'fence${fences}'\r\n`);
  return seen
    .split('\r\n')
    .filter((line) => line !== '' && !stamped.test(line) && !line.includes(`'fence${fences}'`));
};

// Guarantee: the prompt and the bytes after it are exactly the game's.
test('7 Days to Die: login', async () => {
  await using game = await startSevenDays();
  using client = await openRawClient(game.port);
  const prompt = Buffer.from('\xff\xfb\x01Please enter password:\0', 'latin1');
  await client.until((received) => (received.length >= prompt.length ? true : null));
  expect(client.received).toEqual(prompt);
  client.forget();
  game.log.write('not for everybody');
  await client.until((received) => (received.length > 0 ? true : null));
  expect(client.received).toEqual(Buffer.from([0]));
  client.forget();
  await client.send('wrong\r\n');
  expect(await through(client, '\r\n')).toBe('Password incorrect, please enter password:\r\n');
  await client.send(`${game.password}\r\n`);
  const welcome = await through(client, `${ready}\r\n`);
  expect(welcome.startsWith('Logon successful.\r\n\r\n\r\n\r\n*** Connected with 7DTD server.\r\n')).toBe(
    true,
  );

  Object.assign(game.quirks, { noisyPrompt: false, promptEndsLine: true });
  using newer = await openRawClient(game.port);
  expect(await through(newer, '\n')).toBe('Please enter password:\r\n');
});

test('7 Days to Die hears nobody any more after too many wrong passwords', async () => {
  await using game = await startSevenDays({ failedLoginLimit: 2 });
  using client = await openRawClient(game.port);
  await client.send('one\n');
  await through(client, 'Password incorrect, please enter password:\r\n');
  await client.send('two\n');
  await client.until((received) => (received.includes('Too many failed login attempts!\r\n') ? true : null));
  await client.closed;
  using blocked = await openRawClient(game.port);
  await blocked.closed;
  game.forgiveFailedLogins();
  using _ = await openConsole(game.port, game.password);
});

test('7 Days to Die asks for no password where there is none', async () => {
  await using game = await startSevenDays({ password: '', host: '0.0.0.0' });
  using client = await openRawClient(game.port);
  expect((await through(client, ready)).startsWith('*** Connected with 7DTD server.\r\n')).toBe(true);
  expect(await run(client, 'saveworld')).toEqual(['World saved']);
});

// Guarantee: every command replies as the game does, and does in the world what it says.
test('7 Days to Die: replies and their truth', async () => {
  await using game = await startSevenDays();
  const { world } = game;
  using client = await openConsole(game.port, game.password);
  const moss = world.join('Moss, pos=(1');
  const fern = world.join('Fern');
  expect([moss.numericId, fern.numericId]).toEqual([171, 172]);
  const tail = 'health=92, deaths=0, zombies=4, players=0, score=0, level=1';
  const where = 'pos=(-120.5, 61.1, 845.2), rot=(-8.4, 90.0, 0.0), remote=True';
  const replies: readonly [string, readonly string[]][] = [
    [
      'lp',
      [
        `0. id=171, Moss, pos=(1, ${where}, ${tail}, pltfmid=${moss.platformId}, crossid=${moss.crossId}, ip=127.0.0.1, ping=0`,
        `1. id=172, Fern, ${where}, ${tail}, pltfmid=${fern.platformId}, crossid=${fern.crossId}, ip=127.0.0.1, ping=0`,
        'Total of 2 in the game',
      ],
    ],
    ['give 172 resourcewood 50', ['Dropped item']],
    ['give "Moss, pos=(1" gunHandgunT1Pistol 1 6', ['Dropped item']],
    ['give 172 nope 1', ['Item not found.']],
    ['give 999 resourceWood 1', ['Playername or entity id not found.']],
    ['give 172 resourceWood 0', ['Amount is not an integer or not greater than zero.']],
    ['give 172 resourceWood 1 7', ['Quality is not an integer or not greater than zero.']],
    ['give 172', ['Wrong number of arguments, expected 3 or 4, found 1.']],
    ['say "hello there"', []],
    ['pm 172 "psst"', ['Message to player "Fern" sent with sender "Server"']],
    ['pm Nobody "psst"', ['Playername or entity ID not found.']],
    ['saveworld', ['World saved']],
    ['version', ['Game version: V 2.4 (b7) Compatibility Version: V 2.4']],
    [
      `whitelist add ${fern.crossId}`,
      [`${fern.crossId} added to whitelist.`, 'Whitelist only mode has been ACTIVATED!'],
    ],
    [
      `whitelist remove 172`,
      [`${fern.crossId} removed from the whitelist.`, 'Whitelist only mode has been DISABLED!'],
    ],
    [`whitelist remove 172`, [`${fern.crossId} was not on the whitelist.`]],
    ['kick 172 "be nice"', ['Kicking Player Fern: be nice']],
    ['kick 172', ['"172" is not a valid entity id, player name or user id.']],
    ['ban add 171 2 fortnights', ['"fortnights" is not an allowed duration unit.']],
    ['ban add Steam_76561190000000001 1 hour', []],
    ['ban remove nobody', ['From: ConsoleCmdBan:ExecuteRemove ()\n', '"nobody" is not a valid user id.']],
    ['nonsense here', ["*** ERROR: unknown command 'nonsense'"]],
  ];
  for (const [command, reply] of replies) {
    const lines = await run(client, command);
    if (command.endsWith('1 hour'))
      expect(lines[0]).toMatch(/^Steam_76561190000000001 banned until [\d :-]+, reason: \.$/);
    else if (command === 'ban remove nobody') expect(lines.at(-1)).toBe(reply[1]);
    else expect(lines, command).toEqual(reply);
  }
  expect(world.given).toEqual([
    { player: 'Fern', item: 'resourceWood', quantity: 50, quality: null },
    { player: 'Moss, pos=(1', item: 'gunHandgunT1Pistol', quantity: 1, quality: 6 },
  ]);
  expect(world.messages).toEqual([
    { to: null, text: 'hello there' },
    { to: 'Fern', text: 'psst' },
  ]);
  game.quirks.listing = 'old';
  expect((await run(client, 'lp'))[0]).toContain(`, steamid=${moss.platformId.slice('Steam_'.length)}, ip=`);
  expect((await run(client, 'ban add 171 10 years "no more"'))[0]).toContain(`${moss.crossId} banned until `);
  expect(world.mayJoin(moss.name)).toBe(false);
  await client.send('exit\n');
  await client.closed;
});

// Guarantee: log lines appear between the lines of replies and reach every console and the file.
test('7 Days to Die: log', async () => {
  await using folder = await temporaryFolder();
  const logFile = join(folder.path, 'output_log.txt');
  await using game = await startSevenDays({
    logFile,
    now: () => new Date('2026-11-21T10:00:00Z'),
    quirks: { logLinesWithinReplies: 2 },
  });
  using first = await openConsole(game.port, game.password);
  using second = await openConsole(game.port, game.password);
  first.forget();
  game.world.join('Fern');
  game.world.chat('Fern', "GMSG: Player 'Moss' joined the game");
  await first.send('lp\nend1\n');
  const seen = await through(first, "unknown command 'end1'");
  const lines = seen.split('\r\n').map((line) => line.replace(/ \d+\.\d{3} /, ' 1.000 '));
  const at = lines.findIndex((line) => line.startsWith('0. id=171, Fern'));
  expect(lines[at - 1]).toMatch(
    /^2026-11-21T10:00:00 1\.000 INF Executing command 'lp' by Telnet from 127\.0\.0\.1:\d+$/,
  );
  expect(lines.slice(at + 1, at + 3).every((line) => line.includes(' INF Time: '))).toBe(true);
  expect(lines[at + 3]).toBe('Total of 1 in the game');
  game.world.leave('Fern');
  await through(second, "INF GMSG: Player 'Fern' left the game\r\n");
  const file = (await readFile(logFile, 'utf8')).replaceAll(/ \d+\.\d{3} /g, ' 1.000 ');
  for (const line of [
    'PlayerLogin: Fern/V 2.4',
    "GMSG: Player 'Fern' joined the game",
    "GMSG: Player 'Fern' left the game",
    `Chat (from '${game.world.join('Fern').platformId}', entity id '171', to 'Global'): 'Fern': GMSG: Player 'Moss' joined the game`,
  ])
    expect(file).toContain(`\n2026-11-21T10:00:00 1.000 INF ${line}\n`);

  await using chatty = await startSevenDays({ noiseEveryMs: 5 });
  using console = await openConsole(chatty.port, chatty.password);
  await through(console, ' INF Time: ');
});

// Guarantee: input may arrive in any pieces; as in the game, a character that its encoder's 64-unit boundary cuts is lost.
test('7 Days to Die: UTF-8', async () => {
  await using game = await startSevenDays();
  using client = await openConsole(game.port, game.password);
  for (const byte of Buffer.from('say "grün 😀"\r\n')) await client.send(Buffer.from([byte]));
  await through(client, "'Server': grün 😀\r\n");
  game.quirks.replies.set('long', `${'ß'.repeat(63)}😀`);
  expect(await run(client, 'long')).toEqual([`${'ß'.repeat(63)}\u{fffd}\u{fffd}`]);
});
