import type { CommandOutcome } from '#contracts/servers/games.ts';
import type { DeliveryCertainty, DeliveryWait } from '#contracts/store/deliveries.ts';
import type { DeskReason } from '#contracts/store/desk-reasons.ts';
import type { Verdict } from '#games/game.ts';
import type { GuardMark } from '#games/store-forms.ts';

/** Everything known about an attempt. */
export interface AttemptFacts {
  /** Null: lost when the waiting process or the agent's memory was lost. */
  readonly result: { readonly outcome: CommandOutcome; readonly sent: boolean } | null;
  /** What the reply proves; null without a reply. */
  readonly verdict: Verdict['verdict'] | null;
  /** The game's own record; null if it keeps none or could not be asked. */
  readonly mark: GuardMark | null;
  /** The game is known to have run without a break since the bytes left, so an absent mark is proof. */
  readonly hasRunOn: boolean;
  /** A success reply proves success. If false, the best evidence is a timely reply with the player present. */
  readonly canProve: boolean;
  /** Before and after the attempt: true if the player need not be there, null if unknown. */
  readonly wasPresent: boolean | null;
  readonly isPresent: boolean | null;
}

export type DeliveryDecision =
  | { readonly state: 'delivered'; readonly certainty: Exclude<DeliveryCertainty, 'decided'> }
  /** `renews`: the mark is used up; the next attempt needs a new one. */
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

/** Nothing was sent because the connection was closed, not because the queue was too long. */
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
 * The verdict on an attempt. Only proof that nothing happened leads back to `waiting`, from which the delivery is sent
 * again; without proof it is `unknown` and waits for a person.
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

/** What is known when a late result arrives for a delivery that was decided or refunded. */
export interface LateFacts {
  readonly verdict: Verdict['verdict'];
  readonly isRefunded: boolean;
  /** Another attempt has been sent since, by decision. */
  readonly isSentAgain: boolean;
  readonly state: 'pending' | 'waiting' | 'sending' | 'delivered' | 'failed' | 'unknown' | 'cancelled';
  readonly isDecided: boolean;
}

/**
 * - `prove`: the result confirms the decision
 * - `arrived`: the first attempt arrived before a second was sent
 * - `doubled`: both arrived, by decision
 * - `desk`: points and result disagree, so a person decides
 * - `keep`: it changes nothing
 */
type LateDecision = 'prove' | 'arrived' | 'doubled' | 'desk' | 'keep';

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
  // It must not be sent again, whatever had called it undone.
  if (isDone && (state === 'pending' || state === 'waiting')) return 'arrived';
  if (isSentAgain) return isDone && state === 'delivered' ? 'doubled' : 'keep';
  if (state === 'delivered' && isDecided) return isDone ? 'prove' : 'desk';
  return 'keep';
};
