import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { AccountRow } from '../../database/rows.ts';
import type { PortalTables } from '../../database/tables.ts';
import { recordVendorEvent } from '../event-log.ts';
import type { RateLimited, Try, VendorThrottle } from './attempt-budgets.ts';
import { isKnownDevice, rememberDevice } from './devices.ts';
import { spendAccountCode } from './second-factor.ts';
import type { VendorClient, VendorSessions } from './vendor-sessions.ts';

export interface SignedIn {
  readonly outcome: 'signed-in';
  readonly token: string;
  /** The browser stores it. */
  readonly device: string;
}

type PasswordAnswer =
  | { readonly outcome: 'go-on'; readonly token: string; readonly stage: 'enrol' | 'code' }
  | { readonly outcome: 'wrong' }
  /** The initial password was not used in time; someone has to reset the account. */
  | { readonly outcome: 'too-late' }
  | RateLimited;

type CodeAnswer =
  | SignedIn
  | { readonly outcome: 'wrong'; readonly triesLeft: number }
  /** The session has ended, or was tried too often: begin again. */
  | { readonly outcome: 'gone' }
  | RateLimited;

export interface VendorSignIn {
  password(name: string, password: string, client: VendorClient): Promise<PasswordAnswer>;
  /** @param code from the authenticator, or one of the recovery codes */
  code(token: string, code: string, client: VendorClient): Promise<CodeAnswer>;
}

export const createVendorSignIn = (options: {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  readonly sessions: VendorSessions;
  readonly throttle: VendorThrottle;
}): VendorSignIn => {
  const { db, box, clock, passwords, sessions, throttle } = options;

  return {
    async password(name, password, client) {
      const account = await findByName(db, name);
      const isKnown = account !== null && (await isKnownDevice(db, account.id, client.device, clock.now()));
      const tries = triesOf(name, client, isKnown);
      const limited = await throttle.take(tries);
      if (limited) return limited;
      const isRight = await passwords.verify(account?.password_hash ?? null, password);
      if (!isRight || account === null || account.disabled_at !== null) return { outcome: 'wrong' };
      await throttle.giveBack(tries);
      if (account.initial_until !== null && account.initial_until <= clock.now())
        return { outcome: 'too-late' };
      return db.transaction().execute(async (trx): Promise<PasswordAnswer> => {
        const present = await trx
          .selectFrom('vendor_accounts')
          .select(['password_hash', 'totp_sealed'])
          .where('id', '=', account.id)
          .forUpdate()
          .executeTakeFirstOrThrow();
        // Reset or changed during the comparison: the account's sessions have ended, and none may begin after that with the old password.
        if (present.password_hash !== account.password_hash) return { outcome: 'wrong' };
        const stage = present.totp_sealed === null ? 'enrol' : 'code';
        return { outcome: 'go-on', token: await sessions.begin(trx, account.id, stage, client), stage };
      });
    },

    async code(token, code, client) {
      const vendor = await sessions.find(token);
      if (vendor?.stage !== 'code') return { outcome: 'gone' };
      const isKnown = await isKnownDevice(db, vendor.accountId, client.device, clock.now());
      const tries: readonly Try[] = [
        { scope: isKnown ? 'code-device' : 'code', subject: `${isKnown ? client.device : vendor.accountId}` },
      ];
      const limited = await throttle.take(tries);
      if (limited) return limited;
      const answer = await db.transaction().execute(async (trx): Promise<CodeAnswer> => {
        const locked = await sessions.lock(trx, token);
        if (locked?.session.stage !== 'code') return { outcome: 'gone' };
        const { session, account } = locked;
        const now = clock.now();
        const spent = await spendAccountCode(trx, box, account, code, now);
        if (spent === null) {
          const triesLeft = session.tries_left - 1;
          await trx
            .updateTable('vendor_sessions')
            .set({ tries_left: triesLeft })
            .where('id', '=', session.id)
            .execute();
          return triesLeft > 0 ? { outcome: 'wrong', triesLeft } : { outcome: 'gone' };
        }
        if (spent === 'recovery-code')
          await recordVendorEvent(trx, { kind: 'recovery_code_used', by: account.name, at: now });
        return letIn(trx, sessions, { account, session, client, now });
      });
      if (answer.outcome === 'signed-in') await throttle.giveBack(tries);
      return answer;
    },
  };
};

/** Everything was right: begins a session with a new token that no one has seen before. */
export const letIn = async (
  trx: Transaction<PortalTables>,
  sessions: VendorSessions,
  {
    account,
    session,
    client,
    now,
  }: {
    readonly account: Pick<AccountRow, 'id' | 'name'>;
    /** The session that asked for the code; it ends. */
    readonly session: { readonly id: string } | null;
    readonly client: VendorClient;
    readonly now: Date;
  },
): Promise<SignedIn> => {
  if (session) await trx.deleteFrom('vendor_sessions').where('id', '=', session.id).execute();
  await trx
    .updateTable('vendor_accounts')
    .set({ last_signed_in_at: now })
    .where('id', '=', account.id)
    .execute();
  const data = { address: client.address };
  await recordVendorEvent(trx, { kind: 'signed_in', by: account.name, at: now, data });
  const token = await sessions.begin(trx, account.id, 'full', client);
  return { outcome: 'signed-in', token, device: await rememberDevice(trx, account.id, client.device, now) };
};

const triesOf = (name: string, { address, device }: VendorClient, isKnown: boolean): readonly Try[] => {
  if (isKnown && device !== null) return [{ scope: 'device', subject: device }];
  const account = name.toLowerCase();
  return [
    { scope: 'pair', subject: JSON.stringify([account, address]) },
    { scope: 'address', subject: address },
    { scope: 'account', subject: account },
    { scope: 'everybody', subject: '' },
  ];
};

export const findByName = async (db: Kysely<PortalTables>, name: string): Promise<AccountRow | null> =>
  (await db
    .selectFrom('vendor_accounts')
    .selectAll()
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()) ?? null;
