import { expect, test } from 'vitest';
import { readLogLine } from './log-lines.ts';

const main = '[12:34:56] [Server thread/INFO]: ';
const steve = { name: 'Steve', platformId: null };

test.each([
  main,
  '[12:34:56 INFO]: ',
  '[12:34:56] [Server thread/INFO] [minecraft/DedicatedServer]: ',
  '[21Nov2026 12:34:56.789] [Server thread/INFO] [net.minecraft.server.MinecraftServer/]: ',
])('lines that begin with %j are read', (stamp) => {
  expect(readLogLine(`${stamp}Steve joined the game`)).toEqual({ kind: 'join', player: steve });
  expect(readLogLine(`${stamp}Steve left the game\r`)).toEqual({ kind: 'leave', player: steve });
  expect(readLogLine(`${stamp}<Steve> hello`)).toEqual({ kind: 'chat', player: steve, text: 'hello' });
});

test('chat of other servers, and a name that has changed', () => {
  expect(readLogLine('[12:34:56] [Async Chat Thread - #0/INFO]: [Not Secure] <[VIP] Steve> a > b')).toEqual({
    kind: 'chat',
    player: steve,
    text: 'a > b',
  });
  expect(readLogLine(`${main}Steve (formerly known as Alex) joined the game`)).toEqual({
    kind: 'join',
    player: steve,
  });
});

// Guarantee: nothing that a player says is read as a join or a leave.
test('imitations', () => {
  expect(readLogLine(`${main}<Steve> Bob joined the game`)).toEqual({
    kind: 'chat',
    player: steve,
    text: 'Bob joined the game',
  });
  for (const said of [
    '[Steve] Bob joined the game',
    '[Rcon] Bob joined the game',
    '* Steve Bob joined the game',
    'Steve: Bob joined the game',
    'Bob joined the game.',
    'UUID of player Steve is 069a79f4-44e9-4726-a5be-fca90e38aaf5',
    'Steve lost connection: Bob left the game',
    '',
  ])
    expect(readLogLine(main + said)).toBeNull();
  expect(readLogLine('Bob joined the game')).toBeNull();
  expect(readLogLine('[12:34:56] [Server thread/WARN]: Bob joined the game')).toBeNull();
  expect(readLogLine(`${main}<Steve> ${'x'.repeat(4000)}`)).toBeNull();
});
