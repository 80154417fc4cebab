import { expect, test } from 'vitest';
import type { LineSeverity } from '#contracts/servers/console.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from './games.ts';

// Guarantee: only the game's own mark makes a line a warning or an error, never text from players.
test.each<[GameId, string, LineSeverity | null]>([
  ['minecraft', '[12:34:56] [Server thread/WARN]: Can\u2019t keep up! Running 2031ms behind', 'warn'],
  ['minecraft', '[12:34:56] [Server thread/ERROR] [minecraft/Main]: Failed to start', 'error'],
  ['minecraft', '[12:34:56 ERROR]: Could not load plugin', 'error'],
  ['minecraft', '\u001b[33m[12:34:56 WARN]: yellow\u001b[0m', 'warn'],
  ['minecraft', '[12:34:56] [Server thread/INFO]: <Otter> [Server thread/ERROR]: ha', null],
  ['minecraft', 'WARN', null],
  ['seven-days-to-die', '2024-08-03T09:22:30 26471.969 WRN Entity fell off the world', 'warn'],
  ['seven-days-to-die', '2024-08-03T09:22:30 26471.969 ERR Loading failed', 'error'],
  ['seven-days-to-die', '2024-08-03T09:22:30 26471.969 EXC NullReferenceException', 'error'],
  ['seven-days-to-die', "2024-08-03T09:22:30 1.2 INF Chat (from 'Steam_1', …): 'ERR '", null],
  ['ark-se', '[2020.05.06-11.04.56:123][456]LogNet: Warning: slow', 'warn'],
  ['ark-asa', '[2020.05.06-11.04.56:123][ 45]LogStreaming: Error: Couldn\u2019t find file', 'error'],
  ['ark-se', '[2020.05.06-11.04.56:123][456]2020.05.06_11.04.56: LogNet: Warning: (x): said', null],
  ['ark-se', '', null],
])('%s: %s', (game, line, severity) => {
  expect(gameOf(game).severityOf(line)).toBe(severity);
});

// Guarantee: an error reply of the game is recognized as one, and nothing that people typed makes one of another reply.
test.each<[GameId, string, boolean]>([
  ['minecraft', 'Unknown or incomplete command, see below for errorgiv Otter dirt<--[HERE]', true],
  ['minecraft', '\u00a7cUnknown command. Type "/help" for help.\n', true],
  ['minecraft', 'No player was found', true],
  ['minecraft', 'An unexpected error occurred trying to execute that command', true],
  ['minecraft', 'There are 2 of a max of 20 players online: Unknown command, Heron', false],
  ['minecraft', 'Gave 64 [Iron Ingot] to Otter', false],
  ['minecraft', '', false],
  ['seven-days-to-die', "*** ERROR: unknown command 'giv'\r\n", true],
  ['seven-days-to-die', "*** ERROR: Executing command 'ban' failed\r\n", true],
  ['seven-days-to-die', 'Wrong number of arguments, expected 1 or 3, found 2.', true],
  ['seven-days-to-die', 'Total of 1 in the game\n*** ERROR: unknown command', false],
  // Known and unknown commands get the same reply.
  ['ark-se', 'Server received, But no response!! \n ', false],
])('%s: %j', (game, reply, isError) => {
  expect(gameOf(game).isErrorReply(reply)).toBe(isError);
});

// Guarantee: the game's own time is cut off where the console shows one, and nothing that carries more information.
test.each<[GameId, string, string]>([
  ['minecraft', '[12:34:56] [Server thread/INFO]: Otter joined the game', 'Otter joined the game'],
  ['minecraft', '[12:34:56] [Server thread/WARN]: slow', '[Server thread/WARN]: slow'],
  ['minecraft', '[12:34:56 INFO]: ready', 'ready'],
  ['minecraft', '[12:34:56 WARN]: slow', '[12:34:56 WARN]: slow'],
  ['minecraft', '[06May2020 12:34:56.789] [main/INFO] [forge/]: up', 'up'],
  ['seven-days-to-die', '2024-08-03T09:22:30 26471.969 INF Time: 1m', 'Time: 1m'],
  ['seven-days-to-die', '2024-08-03T09:22:30 26471.969 WRN slow', 'WRN slow'],
  [
    'ark-se',
    '[2020.05.06-11.04.56:123][456]2020.05.06_11.04.56: Otter joined this ARK!',
    'Otter joined this ARK!',
  ],
  ['ark-asa', '2020.05.06_11.04.56: Otter (Otter): hi', 'Otter (Otter): hi'],
  ['ark-se', 'Steve: 12:34', 'Steve: 12:34'],
])('%s: %s, without its time', (game, line, rest) => {
  expect(line.slice(gameOf(game).stampLength(line))).toBe(rest);
});
