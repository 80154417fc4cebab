import type { ComponentState } from '#contracts/operations/stack.ts';
import type { Health } from './component.ts';

export interface ProbeLimits {
  /** Between two probes of a process that is starting. */
  readonly startingIntervalMs: number;
  readonly intervalMs: number;
  /** How long an answer may take. */
  readonly timeoutMs: number;
  /** How long a new process may stay silent before it counts as hung. */
  readonly startDeadlineMs: number;
  /** How long a new process may answer that it cannot do its work yet. */
  readonly settleMs: number;
  /** After this many probes without an answer it is unhealthy, and after this many hung. */
  readonly unhealthyMisses: number;
  readonly hungMisses: number;
}

export const probeLimits: ProbeLimits = {
  startingIntervalMs: 40,
  intervalMs: 1000,
  timeoutMs: 2000,
  startDeadlineMs: 60_000,
  settleMs: 5000,
  unhealthyMisses: 2,
  hungMisses: 8,
};

/** What is known of a living process. */
export interface Pulse {
  readonly state: Extract<ComponentState, 'starting' | 'running' | 'unhealthy'>;
  readonly reason: string | null;
  /** Consecutive probes without an answer. */
  readonly misses: number;
}

export const firstPulse: Pulse = { state: 'starting', reason: null, misses: 0 };

/**
 * A process that answers is alive, whatever it says, and is left alone: an API is not restarted because its database is
 * away. A process that stays silent is hung.
 * @param answer null when there was none
 * @param ageMs how long the process has existed
 */
export const probeVerdict = (
  pulse: Pulse,
  answer: Health | null,
  ageMs: number,
  limits: ProbeLimits,
): Pulse | 'hung' => {
  if (answer) {
    const isDown = answer.condition === 'down';
    // It answers before it can work: an API reaches its database moments later.
    if (isDown && pulse.state === 'starting' && ageMs < limits.settleMs) return pulse;
    return { state: isDown ? 'unhealthy' : 'running', reason: answer.detail, misses: 0 };
  }
  if (pulse.state === 'starting') return ageMs < limits.startDeadlineMs ? pulse : 'hung';
  const misses = pulse.misses + 1;
  if (misses >= limits.hungMisses) return 'hung';
  if (misses < limits.unhealthyMisses) return { ...pulse, misses };
  return { state: 'unhealthy', reason: 'does not answer', misses };
};
