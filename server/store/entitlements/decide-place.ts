import type { ReasonCode } from '#contracts/kernel/reasons.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { PlaceState, TakingCertainty } from '#contracts/store/entitlements.ts';

export interface SentFacts {
  /** What was sent: the counter-command, or the command once more. */
  readonly change: Extract<PlaceState, 'taking' | 'giving'>;
  /** Null: no one can tell. */
  readonly result: Pick<CommandResult, 'outcome' | 'sent' | 'logLine'> | null;
  /** What the reply proves; null without a reply. `silent`: it was empty. */
  readonly reply: 'done' | 'failed' | 'unproven' | 'silent' | null;
  /** The line names replies that prove success. */
  readonly isProvable: boolean;
  /** How many commands the game refused, including this one. */
  readonly tries: number;
  /** Grants hold it now. */
  readonly lasts: boolean;
}

interface PlaceDecision {
  readonly state: PlaceState;
  readonly certainty: TakingCertainty | null;
  /** Counts as a try, so that the next one comes later. */
  readonly isRefused: boolean;
  /** Why it is retried, or why a person is asked. */
  readonly detail: Extract<ReasonCode, 'reply-failure' | 'taking-refused' | 'taking-lost'> | null;
}

/** Consecutive refusals after which a person has to look: about a day with the back-off of `send-places.ts`. */
export const mostTries = 10;

/** What a sent command means for its place. A command that may have arrived is sent again only if twice equals once. */
export const decidePlace = (facts: SentFacts): PlaceDecision => {
  const { change, result, reply, lasts } = facts;
  const isTaking = change === 'taking';
  const end = (certainty: TakingCertainty): PlaceDecision => ({
    state: isTaking ? (lasts ? 'giving' : 'taken') : lasts ? 'held' : 'taking',
    certainty,
    isRefused: false,
    detail: null,
  });
  const again = (detail: PlaceDecision['detail']): PlaceDecision => ({
    // Nothing happened: changes in the meantime take effect immediately.
    state: isTaking && lasts ? 'held' : !isTaking && !lasts ? 'taking' : change,
    certainty: null,
    isRefused: detail !== null,
    detail: isTaking === lasts ? null : detail,
  });
  const ask = (detail: 'taking-refused' | 'taking-lost'): PlaceDecision => ({
    // Bought again in between: the command settles it, however the counter-command ended.
    state: isTaking && lasts ? 'giving' : isTaking || lasts ? 'unknown' : 'taking',
    certainty: null,
    isRefused: false,
    detail: isTaking === lasts ? null : detail,
  });
  if (result?.outcome === 'answered') {
    if (reply === 'failed') return facts.tries < mostTries ? again('reply-failure') : ask('taking-refused');
    if (reply === 'done') return end('proven');
    // A plug-in that works later replies nothing at first: the game has the command.
    if (reply === 'silent' || !facts.isProvable) return end('unconfirmed');
    return isTaking ? ask('taking-lost') : end('unconfirmed');
  }
  if (result && !result.sent) return again(null);
  if (result?.logLine !== undefined) return end('unconfirmed');
  // Giving it twice equals giving it once.
  if (!isTaking && facts.tries < mostTries) return again('taking-lost');
  return ask('taking-lost');
};
