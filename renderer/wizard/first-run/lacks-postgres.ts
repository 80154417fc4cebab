import type { FirstRunState } from '#contracts/desktop-first-run.ts';

/** Whether the database could not run on this machine, whatever is selected. */
export const lacksPostgres = ({ missingLibraries, unspellableFolder }: FirstRunState): boolean =>
  missingLibraries.length > 0 || unspellableFolder !== null;
