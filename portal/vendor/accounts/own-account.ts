import type { Kysely } from 'kysely';
import { newPassword } from '#contracts/kernel/person-name.ts';
import type { Clock } from '#runtime/clock.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { PortalTables } from '../../database/tables.ts';
import { recordVendorEvent } from '../event-log.ts';
import { isKnownZone } from '../vendor-calendar.ts';
import type { RateLimited, Try, VendorThrottle } from './attempt-budgets.ts';
import { renewRecoveryCodes, spendAccountCode } from './second-factor.ts';
import type { Vendor, VendorSessions } from './vendor-sessions.ts';

type PasswordChange =
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'refused'; readonly code: 'length' | 'wrong' | 'changed-meanwhile' }
  | RateLimited;

type CodesRenewal =
  | { readonly outcome: 'renewed'; readonly recoveryCodes: readonly string[] }
  | { readonly outcome: 'wrong-code' }
  | RateLimited;

/** What a signed-in person does with their own account. */
export interface OwnAccount {
  /** Ends all other sessions of the account. */
  changePassword(vendor: Vendor, current: string, password: string): Promise<PasswordChange>;
  renewCodes(vendor: Vendor, code: string): Promise<CodesRenewal>;
  signOutEverywhere(vendor: Vendor): Promise<void>;
  /** The time zone for days and dates on their pages. False: there is no such zone. */
  chooseTimeZone(vendor: Vendor, timeZone: string): Promise<boolean>;
}

/** Against someone with a stolen session: it is that session that is slowed down, not the owner's others. */
const triesOf = ({ sessionId }: Vendor): readonly Try[] => [{ scope: 'device', subject: sessionId }];

export const createOwnAccount = ({
  db,
  box,
  clock,
  passwords,
  sessions,
  throttle,
}: {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  readonly sessions: VendorSessions;
  readonly throttle: VendorThrottle;
}): OwnAccount => {
  const rowOf = (from: Kysely<PortalTables>, { accountId }: Vendor) =>
    from.selectFrom('vendor_accounts').selectAll().where('id', '=', accountId);

  return {
    async chooseTimeZone({ accountId }, timeZone) {
      if (!(await isKnownZone(db, timeZone))) return false;
      await db
        .updateTable('vendor_accounts')
        .set({ time_zone: timeZone })
        .where('id', '=', accountId)
        .execute();
      return true;
    },

    async changePassword(vendor, current, password) {
      const chosen = newPassword.safeParse(password);
      if (!chosen.success) {
        return { outcome: 'refused', code: 'length' };
      }
      const limited = await throttle.take(triesOf(vendor));
      if (limited) return limited;
      const { password_hash: before } = await rowOf(db, vendor).executeTakeFirstOrThrow();
      if (!(await passwords.verify(before, current))) return { outcome: 'refused', code: 'wrong' };
      await throttle.giveBack(triesOf(vendor));
      const passwordHash = await passwords.hash(chosen.data);
      return db.transaction().execute(async (trx): Promise<PasswordChange> => {
        const account = await rowOf(trx, vendor).forUpdate().executeTakeFirstOrThrow();
        if (account.password_hash !== before) return { outcome: 'refused', code: 'changed-meanwhile' };
        await trx
          .updateTable('vendor_accounts')
          .set({ password_hash: passwordHash })
          .where('id', '=', account.id)
          .execute();
        await sessions.endAll(trx, account.id, vendor.token);
        await recordVendorEvent(trx, { kind: 'password_changed', by: account.name, at: clock.now() });
        return { outcome: 'changed' };
      });
    },

    async renewCodes(vendor, code) {
      const limited = await throttle.take(triesOf(vendor));
      if (limited) return limited;
      const answer = await db.transaction().execute(async (trx): Promise<CodesRenewal> => {
        const account = await rowOf(trx, vendor).forUpdate().executeTakeFirstOrThrow();
        if ((await spendAccountCode(trx, box, account, code, clock.now())) === null)
          return { outcome: 'wrong-code' };
        const recoveryCodes = await renewRecoveryCodes(trx, account.id);
        await recordVendorEvent(trx, { kind: 'recovery_codes_renewed', by: account.name, at: clock.now() });
        return { outcome: 'renewed', recoveryCodes };
      });
      if (answer.outcome === 'renewed') await throttle.giveBack(triesOf(vendor));
      return answer;
    },

    signOutEverywhere: ({ accountId }) =>
      db.transaction().execute(async (trx) => {
        await trx
          .selectFrom('vendor_accounts')
          .select('id')
          .where('id', '=', accountId)
          .forUpdate()
          .execute();
        await sessions.endAll(trx, accountId);
      }),
  };
};
