import type { Secret } from '../secret.ts';
import { tokenDigest } from './secret-token.ts';
import { totpDigits, totpStepOf } from './totp.ts';
import { newTypedCode, normalizeTypedCode } from './typed-code.ts';

export type SecondFactorKind = 'totp' | 'recovery-code';

/** What is stored of an account's second factor; each call runs in the transaction that the code is to authorize. */
export interface SecondFactorStore {
  /** Locks the account, so that two requests cannot use one code. Null for an account without an authenticator. */
  lock(): Promise<Authenticator | null>;
  /** Stores the time step of the code that was used: neither it nor an earlier one counts again. */
  keepStep(step: number): Promise<void>;
  /** Deletes a recovery code by its digest. @returns whether it existed */
  deleteRecoveryCode(digest: Buffer): Promise<boolean>;
}

interface Authenticator {
  /** A recovery code counts even if the secret cannot be read. @throws when it cannot be read */
  readonly openSecret: () => Secret;
  readonly lastStep: number | null;
}

/**
 * Uses up a code of the authenticator, or one of the recovery codes.
 * @returns which kind it was; null for a wrong code, a used one, and an account without an authenticator
 */
export const spendCode = async (
  store: SecondFactorStore,
  code: string,
  nowMs: number,
): Promise<SecondFactorKind | null> => {
  const authenticator = await store.lock();
  if (!authenticator) return null;
  if (totpDigits(code) === null)
    return (await store.deleteRecoveryCode(recoveryCodeDigest(code))) ? 'recovery-code' : null;
  const step = totpStepOf(authenticator.openSecret(), code, { lastStep: authenticator.lastStep, nowMs });
  if (step === null) return null;
  await store.keepStep(step);
  return 'totp';
};

const codeCount = 10;
/** Four groups are 80 bits, too many to guess against a hash. */
const groups = 4;

/** Codes that let their owner in without the authenticator, once each. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: codeCount }, () => newTypedCode(groups));

/** What is stored of a recovery code; the same however it is typed. */
export const recoveryCodeDigest = (code: string): Buffer => tokenDigest(normalizeTypedCode(code));
