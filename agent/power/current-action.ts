import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import type { PowerAction, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { cutText } from '../game/cut-text.ts';
import type { Countdown } from './bring-down.ts';
import type { PowerRecord } from './power-record.ts';
import { sinceBootMs } from './process/process-identity.ts';

export interface PowerRequest {
  readonly action: PowerAction;
  readonly countdown: { readonly seconds: number; readonly text: string } | null;
  /** The task that requests it; null when no one waits for a result. */
  readonly task: string | null;
  /** Cancels a stop while its countdown runs. */
  readonly signal: AbortSignal;
  readonly onStep: (step: string, done: number, total: number | null) => void;
}

/** The action that is running on the game. */
export interface CurrentAction {
  readonly kind: PowerAction;
  readonly task: string | null;
  readonly breaking: AbortController;
  /** Cancels it while its countdown runs. */
  readonly cancelling: AbortController;
  readonly ended: Promise<TaskResult>;
  step: string;
  isStarting: boolean;
  countdown: Countdown | null;
}

/** @param program also as a code, if the game's program is why */
export const result = (
  outcome: TaskResult['outcome'],
  detail: string | null,
  program: ProgramFault | null = null,
): TaskResult => ({
  outcome,
  detail: detail && cutText(detail, 2000),
  value: program && { program },
});

/** As stored in the record, for an agent that continues it. */
export const keptAction = (
  { kind, task, isStarting }: Pick<CurrentAction, 'kind' | 'task' | 'isStarting'>,
  countdown: Countdown | null,
): PowerRecord['action'] => ({
  kind,
  task,
  isStarting,
  countdown: countdown && { seconds: countdown.seconds, text: countdown.text, endMs: countdown.endMs },
});

/** For an action that an earlier agent began. */
export const resumedRequest = ({ kind, task }: Pick<CurrentAction, 'kind' | 'task'>): PowerRequest => ({
  action: kind,
  countdown: null,
  task,
  signal: new AbortController().signal,
  onStep: () => undefined,
});

/** For a countdown whose end has passed while no agent was running. */
const lastWarningSeconds = 10;

/** The rest of a countdown that an earlier agent began. */
export const resumedCountdown = ({
  seconds,
  text,
  endMs,
}: Pick<Countdown, 'seconds' | 'text' | 'endMs'>): Countdown => {
  const now = sinceBootMs();
  const left = endMs > now ? Math.ceil((endMs - now) / 1000) : Math.min(lastWarningSeconds, seconds);
  return { seconds: left, text, endMs: Math.max(endMs, now + left * 1000), isResumed: true };
};

export const forwardAbort = (from: AbortSignal, to: AbortController): void => {
  if (from.aborted) to.abort();
  else from.addEventListener('abort', () => to.abort(), { once: true });
};
