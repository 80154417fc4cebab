import { useEffect, useState } from 'react';
import { ApiProblem } from '../kit/api/api-problem.ts';

/** Whole seconds until the refused call may be tried again; 0 when it may be tried immediately. */
export const useCountdown = (error: unknown): number =>
  useSecondsLeft(error instanceof ApiProblem ? (error.retryAfterSeconds ?? 0) : 0, error);

/**
 * Counts down a number of seconds from now.
 * @param cause a new one restarts the countdown
 */
export const useSecondsLeft = (seconds: number, cause: unknown): number => {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(seconds);
    if (!cause || seconds === 0) return;
    const endsAtMs = performance.now() + seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((endsAtMs - performance.now()) / 1000));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [cause, seconds]);
  return left;
};
