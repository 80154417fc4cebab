import { type BackOff, backOffDelay } from '#runtime/back-off.ts';
import type { Log } from '#runtime/log.ts';
import { sinceBootMs } from './process/process-identity.ts';

/** Why the agent cannot supervise the game; it waits a while before it tries again. */
interface Trouble {
  /** For people; null when there is none. */
  detail(): string | null;
  isResting(): boolean;
  meet(error: Error): void;
  clear(): void;
}

export const createTrouble = (backOff: BackOff, log: Log): Trouble => {
  let met: { readonly detail: string; readonly tries: number; readonly untilMs: number } | null = null;
  return {
    detail: () => met?.detail ?? null,
    isResting: () => met !== null && sinceBootMs() < met.untilMs,
    meet(error) {
      const detail = describeTrouble(error);
      if (detail !== met?.detail) log.error({ err: error }, 'could not supervise the game server');
      const tries = (met?.tries ?? 0) + 1;
      met = { detail, tries, untilMs: sinceBootMs() + backOffDelay(backOff, tries, Math.random()) };
    },
    clear() {
      met = null;
    },
  };
};

const describeTrouble = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'ENOSPC' || code === 'EDQUOT'
    ? 'The game is down and is not started, because the disk is full: what happens to it cannot be kept. Make room.'
    : `The game is down and cannot be supervised: ${message}`;
