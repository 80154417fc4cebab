/**
 * Whether tests kill at every moment, as in the nightly part `kills`, or at few. Tests that ask have the tag `kills`, by which that part
 * finds them.
 */
export const killsEverywhere = process.env.CASTELLAN_TEST_KILLS === 'every';

/** At how many moments a test kills. */
export const killCount = ({ day, night }: { readonly day: number; readonly night: number }): number =>
  killsEverywhere ? night : day;
