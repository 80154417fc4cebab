import { pickFrom, randomOf } from '../bench/harness/seeded-random.ts';
import { readLedgerSum } from '../faults/ledger-sum.ts';
import { channelOf, type Round } from './journeys.ts';
import { createKillSteps, type StepOutcome } from './kill-steps.ts';
import { moments } from './moments.ts';
import { openOwnerStack } from './owner-stack.ts';

export interface KillsOptions {
  readonly journeys: readonly ((round: Round) => Promise<unknown>)[];
  /** In each, every step of every journey is killed once; the moments go round. */
  readonly rounds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface KillsOutcome {
  readonly steps: readonly StepOutcome[];
  /** Of all points that were ever moved; 0 is right. */
  readonly ledgerSum: number;
}

/** Walks the journeys of a new owner while the API is killed at each of their steps. */
export const runKills = async ({ journeys, rounds, seed, say }: KillsOptions): Promise<KillsOutcome> => {
  const random = randomOf(seed);
  const numbers = Array.from({ length: rounds }, (_, index) => index + 1);
  await using stack = await openOwnerStack({ channels: numbers.map(channelOf) });
  let kills = Math.floor(random() * moments.length);
  const steps = createKillSteps({
    stack,
    random,
    nextMoment() {
      kills += 1;
      return moments[kills % moments.length] ?? pickFrom(moments, random);
    },
    say,
  });
  for (const round of numbers) {
    for (const journey of journeys) await journey({ stack, steps, round });
    await steps.recount();
    // The steps of a round are no multiple of the moments, or each would always meet the same.
    kills += 1;
  }
  return { steps: steps.outcomes, ledgerSum: await readLedgerSum(stack) };
};

/** Journey, step, kills by moment, lost and twice, as a table. */
export const tableOf = (steps: readonly StepOutcome[]): string => {
  const rows = steps.map(({ journey, step, moments: killed, lost, twice }) => [
    journey,
    step,
    String(killed.length),
    String(lost),
    String(twice),
    [...new Set(killed)].join(' '),
  ]);
  const all = [['journey', 'step', 'kills', 'lost', 'twice', 'at'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
