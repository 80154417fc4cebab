/** Work that runs once at a time. */
export interface SingleFlight<Given extends readonly unknown[], Result> {
  /** Begins it, or joins the run under way. */
  (...given: Given): Promise<Result>;
  /** Null: it does not run. */
  underWay(): Promise<Result> | null;
}

/** What is given to a call that joins a run is not used. */
export const singleFlight = <Given extends readonly unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
): SingleFlight<Given, Result> => {
  let running: Promise<Result> | null = null;
  const run = (...given: Given): Promise<Result> => {
    running ??= work(...given).finally(() => {
      running = null;
    });
    return running;
  };
  return Object.assign(run, { underWay: () => running });
};
