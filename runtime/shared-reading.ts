interface SharedReading<Value> {
  /** What is being read, or was read within the last second, even if that failed. */
  now(): Promise<Value>;
  /** The next one reads again. */
  forget(): void;
}

const freshMs = 1000;

/** One reading a second, however many ask, and never two at once. */
export const shareReading = <Value>(read: () => Promise<Value>): SharedReading<Value> => {
  let last: { readonly value: Promise<Value>; concludedMs: number } | null = null;
  return {
    now() {
      if (last === null || performance.now() - last.concludedMs >= freshMs) {
        const reading = { value: read(), concludedMs: Number.POSITIVE_INFINITY };
        const conclude = () => {
          reading.concludedMs = performance.now();
        };
        reading.value.then(conclude, conclude);
        last = reading;
      }
      return last.value;
    },
    forget() {
      last = null;
    },
  };
};
