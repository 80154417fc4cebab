import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { runCount } from '#harness/kill-count.ts';

/** What part of all changed inputs each corpus gets; those whose readers are asked over a socket take longer. */
const shares = {
  lists: 20,
  logs: 20,
  settings: 20,
  webhooks: 18,
  mods: 15,
  proxies: 4,
  discord: 3,
  smtp: 3,
} as const;
export type Corpus = keyof typeof shares;
export const corpora = Object.keys(shares) as readonly Corpus[];

/** In all corpora together; the nightly part `fuzz` makes the larger number. */
const inAll = runCount({ day: 2_000, night: 100_000 });
const sum = Object.values(shares).reduce((total: number, share) => total + share, 0);
const seed = Number(process.env.CASTELLAN_KILL_SEED ?? randomInt(1, 1_000_000));

/** Milliseconds for the changed inputs of one corpus: a guard against a reader that hangs. */
export const changedInputsTimeout = 30 * 60_000;

/**
 * How many changed inputs this corpus gets now, and what they are drawn by: `CASTELLAN_KILL_SEED`, or a new seed.
 * @param part of them, where its files are changed in several ways
 */
export const changesOf = (corpus: Corpus, part = 1): { readonly seed: number; readonly numRuns: number } => {
  const numRuns = Math.ceil((inAll * shares[corpus] * part) / sum);
  process.stdout.write(`${corpus}: ${numRuns} changed inputs, seed ${seed}\n`);
  return { seed, numRuns };
};

const inputsInARow = 250;

/** Checks as many changed inputs as the corpus gets, one after the other. */
export const checkChanged = async <Input>(
  corpus: Corpus,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => void | Promise<void>,
  part = 1,
): Promise<void> => {
  let checked = 0;
  const property = fc.asyncProperty(inputs, async (input) => {
    checked += 1;
    // The test's own limit of time is looked at in between.
    if (checked % inputsInARow === 0) await setImmediate();
    await check(input);
  });
  await fc.assert(property, changesOf(corpus, part));
};
