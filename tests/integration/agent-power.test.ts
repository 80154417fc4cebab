import { expect, test } from 'vitest';
import {
  chattyGame,
  killAgent,
  killGame,
  killHolder,
  type Layout,
  namedMoments,
} from '../power-kills/kill-power.ts';

/** At named moments; tests/nightly/kills kills at random ones, and a real game. */
const { started, read, unacknowledged, withoutApi } = namedMoments;

/** Each waits for many processes, one after another. */
const patient = { timeout: 240_000 };

// Guarantee: a game server that is killed when it has just started, or while it runs, comes back, once, and leaves no process behind.
test('the game is killed', patient, () => killGame(chattyGame, [started, read]));

const layouts: readonly (Layout & { readonly name: string })[] = [
  { name: 'its console', game: 'minecraft', logFile: null },
  { name: "ARK's log", game: 'ark-se', logFile: 'ShooterGame/Saved/Logs/ShooterGame.log' },
];

// Guarantee: whenever the agent is killed, the game continues as the same process, is found again, and each of its lines reaches the
// API once, and the history once.
test.each(layouts)('the agent is killed and reads $name', patient, async (layout) => {
  await killAgent(layout, [started, unacknowledged, withoutApi], 20);
});

// Guarantee: the report after the death of a holder is true: the game continues without its console and can be ended, or it died
// with the console and is back; there are never two games, and none is left behind.
test('the holder is killed', patient, async () => {
  expect(await killHolder(['/bin/sleep', '1000'], [started])).toBe(1);
  await killHolder(chattyGame, [started, read]);
});
