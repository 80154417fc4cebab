import type { DelayClock } from '#runtime/clock.ts';
import type { Health, RunningProcess } from './component.ts';
import { firstPulse, type ProbeLimits, type Pulse, probeVerdict } from './probe-verdict.ts';

interface Probing {
  readonly limits: ProbeLimits;
  readonly clock: DelayClock;
  /** Aborted when the answer no longer matters. */
  readonly over: AbortSignal;
  /** Aborted to ask immediately; a new signal each time. */
  readonly untilHurried: () => AbortSignal;
  /** After each probe of a process that has answered before; `answer` is null when this one got none. */
  readonly onPulse: (pulse: Pulse, answer: Health | null) => void;
}

/** Asks a process how it is, again and again. */
export const probeUntilHung = async (
  process: RunningProcess,
  { limits, clock, over, untilHurried, onPulse }: Probing,
): Promise<'hung' | 'over'> => {
  const bornMs = clock.monotonicMs();
  let pulse = firstPulse;
  for (;;) {
    const answer = await ask(process, limits.timeoutMs, clock);
    if (over.aborted) return 'over';
    const verdict = probeVerdict(pulse, answer, clock.monotonicMs() - bornMs, limits);
    if (verdict === 'hung') return 'hung';
    pulse = verdict;
    if (pulse.state !== 'starting') onPulse(pulse, answer);
    const pauseMs = pulse.state === 'starting' ? limits.startingIntervalMs : limits.intervalMs;
    await clock.delay(pauseMs, AbortSignal.any([over, untilHurried()]));
  }
};

const ask = async (process: RunningProcess, timeoutMs: number, clock: DelayClock): Promise<Health | null> => {
  const cut = new AbortController();
  const timeout = clock.delay(timeoutMs, cut.signal).then(() => null);
  try {
    return await Promise.race([process.probe(cut.signal), timeout]);
  } catch {
    // Refused, reset or cut off: all that matters is that there is no answer.
    return null;
  } finally {
    cut.abort();
  }
};
