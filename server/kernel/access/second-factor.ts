import type { Kysely } from 'kysely';
import type { SecondFactorKind } from '#runtime/auth/second-factor.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Tables } from '../database/tables.ts';

/** What proves an admin besides the password. */
export interface SecondFactor {
  seal(adminId: string, secret: Secret): string;
  /**
   * Uses a code up, in the caller's transaction.
   * @returns which kind of code it was; null when it was not valid
   * @throws {Problem} SECRET_UNREADABLE
   */
  spend(trx: Kysely<Tables>, adminId: string, code: string): Promise<SecondFactorKind | null>;
}
