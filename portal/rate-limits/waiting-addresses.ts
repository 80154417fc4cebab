import type { Clock } from '#runtime/clock.ts';

/** Remembers the addresses that are over their limit, so that a flood from them never reaches the database. */
interface WaitingAddresses {
  /** Whole seconds that the address still has to wait, or null if the database must be asked. */
  secondsLeft(address: string): number | null;
  /** @returns whole seconds, at least 1 */
  remember(address: string, waitMs: number): number;
}

/** When full, the oldest address is forgotten; the database then refuses it once more. */
const capacity = 10_000;

export const createWaitingAddresses = (clock: Clock): WaitingAddresses => {
  const until = new Map<string, number>();
  const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

  return {
    secondsLeft(address) {
      const end = until.get(address);
      if (end === undefined) return null;
      const leftMs = end - clock.monotonicMs();
      if (leftMs > 0) return wholeSeconds(leftMs);
      until.delete(address);
      return null;
    },
    remember(address, waitMs) {
      if (until.size >= capacity)
        for (const oldest of until.keys()) {
          until.delete(oldest);
          break;
        }
      until.set(address, clock.monotonicMs() + waitMs);
      return wholeSeconds(waitMs);
    },
  };
};
