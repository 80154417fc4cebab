/** Lets something through at most once in a while for each key. */
export type KeyedThrottle = (key: string) => boolean;

/** Keys that are remembered; beyond, the oldest may come again sooner. */
const mostKeys = 10_000;

/** @param now milliseconds on a clock that never goes back */
export const createKeyedThrottle = (everyMs: number, now: () => number): KeyedThrottle => {
  const passedAtMs = new Map<string, number>();
  return (key) => {
    const last = passedAtMs.get(key);
    if (last !== undefined && now() - last < everyMs) return false;
    passedAtMs.delete(key);
    passedAtMs.set(key, now());
    const [oldest] = passedAtMs.keys();
    if (passedAtMs.size > mostKeys && oldest !== undefined) passedAtMs.delete(oldest);
    return true;
  };
};
