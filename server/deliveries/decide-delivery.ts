import type { DeliveryCertainty, DeliveryWait } from '#contracts/deliveries.ts';
import type { DeskReason } from '#contracts/desk-reasons.ts';
import type { CommandOutcome } from '#contracts/games.ts';
import type { Verdict } from '#games/game.ts';
import type { GuardMark } from '#games/store-forms.ts';

/** All that is known of an attempt. */
export interface AttemptFacts {
  /** Null: lost with the process that waited for it, or with the agent's memory. */
  readonly result: { readonly outcome: CommandOutcome; readonly sent: boolean } | null;
  /** What the reply proves; null without a reply. */
  readonly verdict: Verdict['verdict'] | null;
  /** What the game's own record says; null: it keeps none, or could not be asked. */
  readonly mark: GuardMark | null;
  /** The game is known to have run on since the bytes left, so that an absent mark proves something. */
  readonly hasRunOn: boolean;
  /** A reply of success proves success: else an answer in time, with the player there, is all that there ever is. */
  readonly canProve: boolean;
  /** Before and after the attempt; true where the player need not be there, null where it is not known. */
  readonly wasPresent: boolean | null;
  readonly isPresent: boolean | null;
}

export type DeliveryDecision =
  | { readonly state: 'delivered'; readonly certainty: Exclude<DeliveryCertainty, 'decided'> }
  /** `renews`: the mark is spent, the next attempt needs another. */
  | {
      readonly state: 'waiting';
      readonly waitsFor: Extract<DeliveryWait, 'player' | 'server' | 'retry'>;
      readonly renews?: true;
    }
  | { readonly state: 'failed' }
  | { readonly state: 'unknown'; readonly deskReason: Extract<DeskReason, 'unknown' | 'contradiction'> };

const unknown: DeliveryDecision = { state: 'unknown', deskReason: 'unknown' };
const contradiction: DeliveryDecision = { state: 'unknown', deskReason: 'contradiction' };
const wait = (waitsFor: 'player' | 'server' | 'retry'): DeliveryDecision => ({ state: 'waiting', waitsFor });

/** Nothing was sent since the way was shut, not since the turn did not come. */
const shutWays: ReadonlySet<CommandOutcome> = new Set([
  'connection refused',
  'authentication failed',
  'name not found',
  'unreachable',
  'wrong protocol',
  'not ready',
  'agent away',
]);

/**
 * What an attempt came to. Only what proves that nothing happened leads back to `waiting`, from where the delivery is sent
 * again; what proves nothing is `unknown`, and waits for a person.
 */
export const decideAttempt = (facts: AttemptFacts): DeliveryDecision => {
  const { result, verdict, mark } = facts;
  if (result && !result.sent) return unsent(result.outcome);
  if (mark === 'given') {
    if (verdict === 'failed' || verdict === 'later') return contradiction;
    return { state: 'delivered', certainty: verdict === 'done' ? 'proven' : 'settled' };
  }
  if (mark === 'withdrawn')
    return verdict === 'done' ? contradiction : { state: 'waiting', waitsFor: 'retry', renews: true };
  if (mark === 'refused') return verdict === 'done' ? contradiction : (byReply(verdict) ?? wait('player'));
  const proven = byReply(verdict);
  if (proven) return proven;
  if (mark === 'absent' && facts.hasRunOn) return wait('player');
  const isAnswered = result?.outcome === 'answered';
  if (isAnswered && !facts.canProve && facts.wasPresent === true && facts.isPresent === true)
    return { state: 'delivered', certainty: 'unconfirmed' };
  return unknown;
};

const unsent = (outcome: CommandOutcome): DeliveryDecision =>
  outcome === 'invalid command' ? { state: 'failed' } : wait(shutWays.has(outcome) ? 'server' : 'retry');

const byReply = (verdict: AttemptFacts['verdict']): DeliveryDecision | null => {
  if (verdict === 'done') return { state: 'delivered', certainty: 'proven' };
  if (verdict === 'failed') return { state: 'failed' };
  return verdict === 'later' ? wait('player') : null;
};

/** Facts about a delivery of which a person has decided something, or which was refunded, when a result comes late. */
export interface LateFacts {
  readonly verdict: Verdict['verdict'];
  readonly isRefunded: boolean;
  /** Another attempt was sent since, by decision. */
  readonly isSentAgain: boolean;
  readonly state: 'pending' | 'waiting' | 'sending' | 'delivered' | 'failed' | 'unknown' | 'cancelled';
  readonly isDecided: boolean;
}

/**
 * - `settle`: no one has decided, so the result does
 * - `prove`: what was decided is true
 * - `arrived`: the first of two has arrived before the second was sent
 * - `doubled`: both arrived, by decision
 * - `desk`: money and truth disagree, and a person puts it right
 * - `keep`: it changes nothing
 */
export type LateDecision = 'settle' | 'prove' | 'arrived' | 'doubled' | 'desk' | 'keep';

export const decideLate = ({
  verdict,
  isRefunded,
  isSentAgain,
  state,
  isDecided,
}: LateFacts): LateDecision => {
  if (verdict === 'unproven') return 'keep';
  const isDone = verdict === 'done';
  if (isRefunded) return isDone ? 'desk' : 'keep';
  // Not sent again, whatever it was that called it undone.
  if (isDone && (state === 'pending' || state === 'waiting')) return 'arrived';
  if (isSentAgain) return isDone && state === 'delivered' ? 'doubled' : 'keep';
  if (state === 'unknown') return 'settle';
  if (state === 'delivered' && isDecided) return isDone ? 'prove' : 'desk';
  return 'keep';
};
