import { expect, test } from 'vitest';
import { gameIds } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { plainLine, spokenLine } from './chat-text.ts';
import { createOwnLines } from './own-lines.ts';

// Guarantee: a line shows what it holds, in one line of its own direction, within its limits.
test.each([
  ['  a\n\tb\0c ', 'a b c'],
  ['\u202eevil\u2066\u200b', 'evil'],
  ['\u200d\u2060\u3164', ''],
  ['👩‍👧 family', '👩‍👧 family'],
  [`z${'\u0337'.repeat(50)}`, `z${'\u0337'.repeat(3)}`],
  ['x'.repeat(25), `${'x'.repeat(19)}…`],
  ['🦦'.repeat(21), `${'🦦'.repeat(19)}…`],
  ['\ud83d half', '\ufffd half'],
])('%j', (text, line) => expect(plainLine(text, 20)).toBe(line));

// Guarantee: no one speaks in a game under a tag other than the place they write from, and no game treats it as more than a line.
test('what games say', () => {
  const line = spokenLine(
    'Discord',
    '[Server] Admin',
    'a [b] <RichColor Color="1,0,0,1">\n/stop @a "quoted" | x',
  );
  expect(line).toBe('[Discord] (Server) Admin: a (b) ‹RichColor Color="1,0,0,1"›\n/stop @a "quoted" | x');
  for (const id of gameIds) {
    const rendered = gameOf(id).actions.say?.render({ message: line });
    expect(rendered).toHaveProperty('command');
    const { command = '' } = rendered as { readonly command?: string };
    expect(command).not.toMatch(/[\n\r]/);
    if (id === 'minecraft') expect(command).not.toContain('@a');
    // Quotes mean nothing to Minecraft, and a text of Palworld is one value of JSON.
    if (id !== 'minecraft' && id !== 'palworld') expect(command).not.toContain('"quoted"');
    // The longest relayed line fits into a command of each game.
    const longest = spokenLine('x'.repeat(32), '🦦'.repeat(40), '@a'.repeat(150));
    expect(gameOf(id).actions.say?.render({ message: longest }), id).toHaveProperty('command');
  }
});

test("colours and tags of games are nobody else's", () => {
  expect(spokenLine('Dis§ccord', '§4[Server]§r', '§kx [00FF00]')).toBe('[Disccord] 4(Server)r: kx (00FF00)');
});

// Guarantee: no game's log returns what we said there as someone's chat.
test.each([
  ['minecraft', '[12:34:56] [Server thread/INFO]: [Rcon] [Discord] Ada: hi'],
  ['minecraft', '[12:34:56] [Server thread/INFO]: [Server] [Discord] Ada: hi'],
  [
    'seven-days-to-die',
    "2025-06-06T03:01:01 951.114 INF Chat (from '-non-player-', entity id '-1', to 'Global'): 'Server': [Discord] Ada: hi",
  ],
  ['ark-se', '[2020.05.06-11.04.56:123][456]2020.05.06_11.04.56: SERVER: [Discord] Ada (x): hi'],
  [
    'ark-asa',
    '[2020.05.06-11.04.56:123][456]2020.05.06_11.04.56: AdminCmd: ServerChat [Discord] Ada (x): hi',
  ],
] as const)('%s: %s', (game, line) => expect(gameOf(game).readLogLine(line)).toBeNull());

// Guarantee: what we said in a game is recognized in its log, with the game's changes, and only for a while.
test('our own lines', () => {
  let nowMs = 0;
  const own = createOwnLines(() => nowMs);
  own.add('a', '[Discord] Ada: say "hi" to @everyone');
  expect(own.has('a', "[Discord] Ada: say 'hi' to ＠everyone")).toBe(true);
  expect(own.has('a', '[Server] [Discord] Ada: say hi to everyone')).toBe(true);
  expect(own.has('b', '[Discord] Ada: say "hi" to @everyone')).toBe(false);
  own.add('a', '[Discord] 🦦: 🦦');
  for (const line of ['hi', 'join our discord', '🦦']) expect(own.has('a', line), line).toBe(false);
  nowMs = 121_000;
  expect(own.has('a', '[Discord] Ada: say "hi" to @everyone')).toBe(false);
});
