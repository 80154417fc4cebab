import type { ActivationFailure } from '#contracts/license/license-answers.ts';
import type { LicenseFault } from '#contracts/license/license-state.ts';

/** Everything that keeps a license from working, found by an activation or by a check. */
export type LicenseTrouble =
  | LicenseFault
  /** The portal knows no such key, or the license is not active; on an activation it says no more than that. */
  | 'UNAUTHORIZED'
  | 'INVALID_KEY'
  | 'RATE_LIMITED'
  | 'UNREACHABLE'
  | 'NOT_SAVED';

/** The remedy, as the single primary button. */
export type Remedy =
  | 'transfer'
  | 'renew'
  | 'contact'
  | 'find-license'
  | 'correct-key'
  | 'enter-key'
  | 'check-clock'
  | 'try-again'
  /** Only time helps; the button comes back by itself. */
  | 'wait';

const remedies: Readonly<Record<LicenseTrouble, Remedy>> = {
  UNAUTHORIZED: 'find-license',
  HWID_MISMATCH: 'transfer',
  EXPIRED: 'renew',
  SUSPENDED: 'contact',
  REVOKED: 'contact',
  LICENSE_REQUIRED: 'enter-key',
  LICENSE_RECORD_UNUSABLE: 'enter-key',
  LICENSE_GRACE_ENDED: 'try-again',
  LICENSE_WRONG_ENVIRONMENT: 'contact',
  HWID_UNAVAILABLE: 'try-again',
  CLOCK_ROLLED_BACK: 'check-clock',
  CLOCK_AHEAD: 'check-clock',
  INVALID_KEY: 'correct-key',
  RATE_LIMITED: 'wait',
  UNREACHABLE: 'try-again',
  NOT_SAVED: 'try-again',
};

/** Never the act that has just failed, unless only the circumstances prevented it. */
export const remedyOf = (trouble: LicenseTrouble): Remedy => remedies[trouble];

/** Whether the customer area is where the license's owner mends it. */
export const isAreaRemedy = (trouble: LicenseTrouble): boolean =>
  ['transfer', 'renew', 'find-license'].includes(remedyOf(trouble));

/** Whether a key must be activated on this machine, now or after a transfer or purchase; the other faults end by themselves. */
export const isSolvedByActivation = (fault: LicenseFault): boolean =>
  fault === 'REVOKED' || ['enter-key', 'transfer'].includes(remedyOf(fault));

const troubles: Readonly<Record<Exclude<ActivationFailure['outcome'], 'refused'>, LicenseTrouble>> = {
  unauthorized: 'UNAUTHORIZED',
  'invalid-key': 'INVALID_KEY',
  'hwid-unavailable': 'HWID_UNAVAILABLE',
  'rate-limited': 'RATE_LIMITED',
  unreachable: 'UNREACHABLE',
  'wrong-environment': 'LICENSE_WRONG_ENVIRONMENT',
  'not-saved': 'NOT_SAVED',
};

/** Why an activation failed. */
export const troubleOf = (failure: ActivationFailure): LicenseTrouble =>
  failure.outcome === 'refused' ? failure.code : troubles[failure.outcome];

/** Until the next try makes sense; 0: now. */
export const waitSecondsOf = (failure: ActivationFailure | null): number =>
  failure?.outcome === 'rate-limited' ? (failure.retryAfterSeconds ?? 0) : 0;
