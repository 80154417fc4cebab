// @module-tag identity

import { expect, test } from 'vitest';
import type { Moment } from '../../entitlement-kills/moments.ts';
import { type Ended, runKills } from '../../entitlement-kills/run-kills.ts';

const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 21);

type End = Omit<Ended, 'what' | 'moment'>;
const takenOnce: End = { state: 'taken', received: 1, executed: 1 };
const extended: End = { state: 'held', received: 0, executed: 0 };
/** Over a console alone, the outcome of a command that may have been sent cannot be determined. */
const asked = (received: number, executed: number): End => ({ state: 'unknown', received, executed });

const ends = {
  direct: {
    unclaimed: takenOnce,
    claimed: asked(0, 0),
    ignored: asked(1, 0),
    executed: asked(1, 1),
    answered: asked(1, 1),
    stored: takenOnce,
    'bought-again': extended,
  },
  agent: {
    unclaimed: takenOnce,
    claimed: takenOnce,
    ignored: takenOnce,
    executed: takenOnce,
    answered: takenOnce,
    stored: takenOnce,
    'bought-again': extended,
  },
} as const satisfies Record<string, Record<Moment, End>>;

// Guarantee: no matter at which moment of an end the API is killed, and whether the end falls due while it runs or is off, the game
// gets the command once, or a person is asked if the outcome is unknown; a purchase at the last moment stays.
test.concurrent.each([
  ['direct', 14],
  ['agent', 8],
] as const)('the API is killed at ends: %s', { timeout: 300_000, tags: 'faketime' }, async (way, kills) => {
  const outcome = await runKills({ way, kills, seed });
  const expected = outcome.ends.map(({ what, moment }) => ({
    what,
    moment,
    ...(moment === null ? takenOnce : ends[way][moment]),
  }));
  expect(outcome.ends, `seed ${seed}`).toEqual(expected);
  for (const { state } of outcome.boughtAgain) expect(state, `seed ${seed}`).toBe('held');
  expect(outcome.boughtAgain.length).toBeGreaterThan(0);
  // Bought again, or sent again by a person.
  const isTakenLater = ({ state, moment }: Ended) => state !== 'taken' || moment === 'executed';
  for (const [index, end] of outcome.ends.entries())
    expect(outcome.atLast[index], `seed ${seed}`).toMatchObject({
      what: end.what,
      state: 'taken',
      executed: end.executed + (isTakenLater(end) ? 1 : 0),
    });
  process.stdout.write(
    `ends of ${outcome.ends.length} entitlements, ${kills} kills of the API, ${way}, seed ${seed}\n`,
  );
});
