/**
 * Whether tests kill at every moment and make all random runs, as in the nightly part `kills`, or few. Tests that ask have the tag
 * `kills`, by which that part finds them.
 */
export const killsEverywhere = process.env.CASTELLAN_TEST_KILLS === 'every';

interface Counts {
  readonly day: number;
  readonly night: number;
}

/** At how many moments a test kills. */
export const killCount = ({ day, night }: Counts): number => (killsEverywhere ? night : day);
/** How many random runs a test makes of what a seed decides; the night has the time for more. */
export const runCount = (counts: Counts): number => killCount(counts);
