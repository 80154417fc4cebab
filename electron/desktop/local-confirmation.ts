import { stepUpMinutes } from '#contracts/identity/account.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

/** The desktop's step-up: whether the person at this machine has recently said yes. */
export interface LocalConfirmation {
  holds(): boolean;
  /** After a sleep, for example, when another person may be at the machine. */
  forget(): void;
  readonly calls: Pick<DesktopHandlers, 'stepUp.confirm'>;
}

const holdsMs = stepUpMinutes * 60_000;

export const createLocalConfirmation = ({
  ask,
  now = () => performance.now(),
}: {
  /** Asks the person in a dialog that no page can answer. */
  readonly ask: () => Promise<boolean>;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
}): LocalConfirmation => {
  let untilMs = Number.NEGATIVE_INFINITY;
  const askOnce = singleFlight(ask);
  return {
    holds: () => now() < untilMs,
    forget() {
      untilMs = Number.NEGATIVE_INFINITY;
    },
    calls: {
      async 'stepUp.confirm'() {
        const confirmed = await askOnce();
        if (confirmed) untilMs = now() + holdsMs;
        return { confirmed };
      },
    },
  };
};
