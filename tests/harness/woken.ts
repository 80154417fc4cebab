import type { WakeListener, WakeWatch } from '#runtime/wake-watch.ts';

/** Reports a wake-up when the test says so. */
export const wakeByHand = (): WakeWatch & { readonly wake: (sleptMs: number) => void } => {
  const listeners = new Set<WakeListener>();
  return {
    onWake(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    wake(sleptMs) {
      for (const listener of [...listeners]) listener(sleptMs);
    },
  };
};
