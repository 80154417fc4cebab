import { useSyncExternalStore } from 'react';
import { serverNowMs } from '../api/server-clock.ts';

const tickMs = 10_000;
const listeners = new Set<() => void>();
let timer: number | undefined;
let tick = 0;

/** One clock for everything that depends on the time; it stops while nothing shows it. */
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tick += 1;
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The current time by the clock of the API's machine, in milliseconds since 1970; renders again every ten seconds. */
export const useServerNow = (): number => {
  useSyncExternalStore(subscribe, () => tick);
  return serverNowMs();
};
