import { expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import {
  chattyGame,
  killAgent,
  killGame,
  killHolder,
  type Layout,
  randomMoments,
} from '../../power-kills/kill-power.ts';

const kills = 50;
const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 17);
/** A real game, which writes almost nothing. */
const quietGame = async () => [
  '/usr/games/teeworlds-server',
  `sv_port ${await freePort()}`,
  'sv_register 0',
  'bindaddr 127.0.0.1',
];

// Guarantee: a game server that is killed at any moment comes back each time, once, and leaves no process behind.
test('the game is killed', { timeout: 240_000, tags: ['teeworlds'] }, async () => {
  await killGame(await quietGame(), randomMoments(kills, 200, seed));
  process.stdout.write(`game: ${kills} kills, seed ${seed}\n`);
});

/** The configurations that setup writes for a game that it finds. */
const layouts: readonly (Layout & { readonly name: string })[] = [
  { name: 'its console', game: 'minecraft', logFile: null },
  { name: "Minecraft's log", game: 'minecraft', logFile: 'logs/latest.log' },
  { name: "ARK's log", game: 'ark-se', logFile: 'ShooterGame/Saved/Logs/ShooterGame.log' },
];

// Guarantee: no matter how often the agent is killed, the game continues as the same process, is found again, and each of its
// lines reaches the API once, and the history once.
test.each(layouts)('the agent is killed and reads $name', { timeout: 240_000 }, async (layout) => {
  const lines = await killAgent(layout, randomMoments(kills, 1200, seed), 100);
  process.stdout.write(`agent: ${kills} kills, seed ${seed}, ${lines} lines, none lost, none twice\n`);
});

// Guarantee: the reports after the death of a holder are true: the game continues without its console and can be ended, or it died
// with the console and is back; there are never two games, and none is left behind.
test('the holder is killed', { timeout: 240_000, tags: ['teeworlds'] }, async () => {
  const quietLived = await killHolder(await quietGame(), randomMoments(kills / 2, 200, seed));
  const chattyLived = await killHolder(chattyGame, randomMoments(kills / 2, 200, seed + 1));
  process.stdout.write(
    `holder: ${kills} kills, seed ${seed}; the quiet game lived on ${quietLived} times, the chatty one ${chattyLived} times\n`,
  );
  expect(quietLived).toBeGreaterThan(0);
});
