import type { ReasonCode } from '#contracts/kernel/reasons.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { CounterCommandState } from '#contracts/store/deliveries.ts';

interface CounterCommandDecision {
  readonly state: Extract<CounterCommandState, 'waiting' | 'taken' | 'refused' | 'unknown'>;
  readonly detail: Extract<ReasonCode, 'reply-failure' | 'taking-refused' | 'taking-lost'> | null;
}

/** Consecutive refusals after which a person has to look: about a day with the back-off of `counter-commands.ts`. */
const mostRefusals = 10;

/**
 * How a sent counter-command ended. No product says that its counter-command may run twice, so one that may have run is
 * never sent again.
 */
export const decideCounterCommand = ({
  result,
  isFailure,
  tries,
}: {
  /** Null: no one can tell. */
  readonly result: Pick<CommandResult, 'outcome' | 'sent' | 'logLine'> | null;
  /** The product calls this reply a failure. */
  readonly isFailure: boolean;
  /** How many commands the game refused, including this one. */
  readonly tries: number;
}): CounterCommandDecision => {
  if (result?.outcome === 'answered') {
    if (!isFailure) return { state: 'taken', detail: null };
    return tries < mostRefusals
      ? { state: 'waiting', detail: 'reply-failure' }
      : { state: 'refused', detail: 'taking-refused' };
  }
  if (result && !result.sent) return { state: 'waiting', detail: null };
  // The game's log says that the command ran.
  if (result?.logLine !== undefined) return { state: 'taken', detail: null };
  return { state: 'unknown', detail: 'taking-lost' };
};
