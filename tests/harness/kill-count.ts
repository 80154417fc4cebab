/**
 * Whether tests kill at every moment and make all random runs, as in the nightly part `kills`, or few. Tests that ask have the tag
 * `kills`, by which that part finds them; those of `tests/corpus` run in the part `fuzz`.
 */
export const killsEverywhere = process.env.CASTELLAN_TEST_KILLS === 'every';

/** How many random runs a test makes, or at how many moments it kills; the night has the time for more. */
export const runCount = ({ day, night }: { readonly day: number; readonly night: number }): number =>
  killsEverywhere ? night : day;
