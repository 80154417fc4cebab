import { useEffect, useReducer } from 'react';
import { dayStart } from './range.ts';

/** Timers last no more than 24 days, and are late after the machine slept: checks at least once an hour. */
const mostMs = 3_600_000;

/** Renders again when another day begins, so that "today" is today. */
export const useToday = (): void => {
  const [count, again] = useReducer((now: number) => now + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a timer for each day
  useEffect(() => {
    const now = new Date();
    const timer = setTimeout(again, Math.min(mostMs, dayStart(now, 1).getTime() - now.getTime() + 1));
    return () => clearTimeout(timer);
  }, [count]);
};
