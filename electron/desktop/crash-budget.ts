/** If a page crashes more often than this within the window, only a person reloads it. */
const mostCrashes = 3;
const crashWindowMs = 60_000;

/** Counts crashes; returns whether to recover from this one without asking. */
export const crashBudget = (): ((nowMs: number) => boolean) => {
  let crashes: readonly number[] = [];
  return (nowMs) => {
    crashes = [...crashes.filter((atMs) => nowMs - atMs < crashWindowMs), nowMs];
    return crashes.length <= mostCrashes;
  };
};
