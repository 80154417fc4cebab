export interface SharedReading<Value> {
  /** What was read within the last second, or is being read. */
  now(): Promise<Value>;
  /** The next one reads again. */
  forget(): void;
}

const freshMs = 1000;

/** One reading a second, however many ask: for what starts a program or waits for a disk. A failed one is not kept. */
export const shareReading = <Value>(read: () => Promise<Value>): SharedReading<Value> => {
  let last: { readonly atMs: number; readonly value: Promise<Value> } | null = null;
  return {
    now() {
      if (last !== null && performance.now() - last.atMs < freshMs) return last.value;
      const reading = { atMs: performance.now(), value: read() };
      last = reading;
      reading.value.catch(() => {
        if (last === reading) last = null;
      });
      return reading.value;
    },
    forget() {
      last = null;
    },
  };
};
