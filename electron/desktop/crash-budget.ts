/** A page that crashes more often than this within the window is brought back by a person alone. */
const mostCrashes = 3;
const crashWindowMs = 60_000;

/** Counts crashes; says whether this one may be mended without asking. */
export const crashBudget = (): ((nowMs: number) => boolean) => {
  let crashes: readonly number[] = [];
  return (nowMs) => {
    crashes = [...crashes.filter((atMs) => nowMs - atMs < crashWindowMs), nowMs];
    return crashes.length <= mostCrashes;
  };
};
