import type { TimerClock } from '../../clock.ts';

export interface FakeClock extends TimerClock {
  nowMs(): number;
  /** Lets time pass; timers run in order, each at its own moment. */
  advance(ms: number): void;
  /** Sets only the wall clock, as a person would. */
  set(wallMs: number): void;
}

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** @param startMs wall clock, milliseconds since epoch */
export const createFakeClock = (startMs: number): FakeClock => {
  let elapsedMs = 0;
  let offsetMs = startMs;
  const timers = new Set<Timer>();
  const nextDue = (untilMs: number) =>
    [...timers].filter((timer) => timer.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];

  const nowMs = () => offsetMs + elapsedMs;
  return {
    nowMs,
    now: () => new Date(nowMs()),
    monotonicMs: () => elapsedMs,
    setTimer(delayMs, run) {
      const timer = { dueMs: elapsedMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const untilMs = elapsedMs + ms;
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.run();
      }
      elapsedMs = untilMs;
    },
    set(wallMs) {
      offsetMs = wallMs - elapsedMs;
    },
  };
};
