import { expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { gameOf } from './games.ts';
import { createLineMask } from './masked-lines.ts';

// Guarantee: no stored line holds a password of a player, a command or the agent; a line without one is unchanged.
test('secrets in lines', () => {
  let nowMs = 0;
  const minecraft = createLineMask(gameOf('minecraft'), [new Secret('console-password')], () => nowMs);
  const log = '[12:00:00] [Server thread/INFO]: ';
  expect(minecraft.mask(`${log}Steve issued server command: /login hunter2`)).not.toContain('hunter2');
  expect(minecraft.mask(`${log}rcon uses console-password now`)).not.toContain('console-password');
  expect(minecraft.mask(`${log}ServerPassword=hidden7`)).not.toContain('hidden7');
  expect(minecraft.mask(`${log}<Steve> hello there`)).toBe(`${log}<Steve> hello there`);
  expect(minecraft.mask('')).toBe('');

  const sevenDays = createLineMask(gameOf('seven-days-to-die'), [], () => nowMs);
  const executing =
    "2026-01-01T00:00:00 1.2 INF Executing command 'setgamepref ServerPassword hidden9' by Telnet";
  expect(sevenDays.mask(executing)).not.toContain('hidden9');
  sevenDays.gave('setgamepref ServerPassword swordfish');
  expect(sevenDays.mask('INF GamePref.ServerPassword: swordfish')).not.toContain('swordfish');
  sevenDays.gave('say hello');
  expect(sevenDays.mask('INF hello swordfish')).toBe('INF hello ***');
  nowMs = 700_000;
  expect(sevenDays.mask('INF hello swordfish')).toBe('INF hello swordfish');
});
