import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { valueFaultOf } from '#contracts/kernel/value-faults.ts';
import type { Clock } from '#runtime/clock.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import { newId } from '../../database/new-id.ts';
import type { AccountRow } from '../../database/rows.ts';
import type { VendorEventKind } from '../../database/stored-values.ts';
import type { PortalTables } from '../../database/tables.ts';
import { accountName } from '../actor-names.ts';
import { recordVendorEvent } from '../event-log.ts';
import { type AccountView, viewAccount } from './account-view.ts';
import { findByName } from './sign-in.ts';
import type { VendorSessions } from './vendor-sessions.ts';

type Trx = Transaction<PortalTables>;

/** An account with the password for its first sign-in, which is shown only once. */
export interface Invitation {
  readonly outcome: 'invited';
  readonly account: AccountView;
  readonly initialPassword: string;
}

/** Pages phrase it in the reader's language. */
type RefusedAccountChange =
  | 'no-account'
  | 'bad-name'
  | 'name-taken'
  | 'disabled-already'
  | 'last-account'
  | 'not-disabled';

interface Refused {
  readonly outcome: 'refused';
  readonly code: RefusedAccountChange;
  readonly reason: string;
}

type AccountChange = { readonly outcome: 'changed'; readonly account: AccountView } | Refused;

/** Accounts are referred to by name or id. Every change and its event commit together. */
export interface VendorAccounts {
  list(): Promise<readonly AccountView[]>;
  create(name: string, by: string): Promise<Invitation | Refused>;
  /** Also ends its sessions. The last working account cannot be disabled. */
  disable(reference: string, by: string): Promise<AccountChange>;
  enable(reference: string, by: string): Promise<AccountChange>;
  /** Sets a new initial password; the account's authenticator, recovery codes and sessions are deleted. */
  reset(reference: string, by: string): Promise<Invitation | Refused>;
}

export const initialPasswordDays = 7;
/** A random number; if two accounts disable each other, the lock leaves one enabled. */
const accountsLock = 1_197_442_031;
/** 120 bits, only for the first sign-in. */
const newInitialPassword = (): string => randomBytes(15).toString('base64url');
const refuse = (code: RefusedAccountChange, reason: string): Refused => ({
  outcome: 'refused',
  code,
  reason,
});

export const createVendorAccounts = ({
  db,
  clock,
  passwords,
  sessions,
}: {
  readonly db: Kysely<PortalTables>;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  readonly sessions: VendorSessions;
}): VendorAccounts => {
  const change = <T>(
    reference: string,
    work: (trx: Trx, account: AccountRow, now: Date) => Promise<T | Refused>,
  ): Promise<T | Refused> =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${accountsLock})`.execute(trx);
      const named = await findAccount(trx, reference);
      if (!named) return refuse('no-account', 'There is no such account.');
      const account = await trx
        .selectFrom('vendor_accounts')
        .selectAll()
        .where('id', '=', named.id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      return work(trx, account, clock.now());
    });

  const write = async (
    trx: Trx,
    { id, name }: AccountRow,
    set: Partial<Omit<AccountRow, 'id'>>,
    { kind, by, at }: { readonly kind: VendorEventKind; readonly by: string; readonly at: Date },
  ): Promise<AccountView> => {
    const row = await trx
      .updateTable('vendor_accounts')
      .set(set)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordVendorEvent(trx, { kind, by, subject: name, at });
    return viewAccount(row, at);
  };

  return {
    async list() {
      const rows = await db
        .selectFrom('vendor_accounts')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => viewAccount(row, clock.now()));
    },

    async create(name, by) {
      const checked = accountName.safeParse(name);
      if (!checked.success)
        return refuse(
          'bad-name',
          `The name ${checked.error.issues.map((issue) => valueFaultOf(issue).message).join('; ')}.`,
        );
      const initialPassword = newInitialPassword();
      const passwordHash = await passwords.hash(initialPassword);
      return db.transaction().execute(async (trx) => {
        const now = clock.now();
        const row = await trx
          .insertInto('vendor_accounts')
          .values({
            id: newId(),
            name: checked.data,
            password_hash: passwordHash,
            initial_until: endOfInvitation(now),
            totp_sealed: null,
            totp_last_step: null,
            disabled_at: null,
            created_at: now,
            last_signed_in_at: null,
            time_zone: null,
          })
          .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) return refuse('name-taken', 'There is an account with this name already.');
        await recordVendorEvent(trx, { kind: 'account_created', by, subject: row.name, at: now });
        return { outcome: 'invited', account: viewAccount(row, now), initialPassword };
      });
    },

    disable: (reference, by) =>
      change(reference, async (trx, account, at) => {
        if (account.disabled_at !== null)
          return refuse('disabled-already', 'The account is disabled already.');
        if (!(await hasAnother(trx, account.id)))
          return refuse(
            'last-account',
            'This is the last account that can sign in; no one could enable it again.',
          );
        await sessions.endAll(trx, account.id);
        const set = { disabled_at: at };
        const view = await write(trx, account, set, { kind: 'account_disabled', by, at });
        return { outcome: 'changed', account: view };
      }),

    enable: (reference, by) =>
      change(reference, async (trx, account, at) => {
        if (account.disabled_at === null) return refuse('not-disabled', 'The account is not disabled.');
        const set = { disabled_at: null };
        return {
          outcome: 'changed',
          account: await write(trx, account, set, { kind: 'account_enabled', by, at }),
        };
      }),

    async reset(reference, by) {
      const initialPassword = newInitialPassword();
      const passwordHash = await passwords.hash(initialPassword);
      return change(reference, async (trx, account, at): Promise<Invitation> => {
        await sessions.endAll(trx, account.id);
        await trx.deleteFrom('vendor_recovery_codes').where('account_id', '=', account.id).execute();
        await trx.deleteFrom('vendor_devices').where('account_id', '=', account.id).execute();
        const set = {
          password_hash: passwordHash,
          initial_until: endOfInvitation(at),
          totp_sealed: null,
          totp_last_step: null,
        };
        const view = await write(trx, account, set, { kind: 'account_reset', by, at });
        return { outcome: 'invited', account: view, initialPassword };
      });
    },
  };
};

const endOfInvitation = (now: Date): Date => new Date(now.getTime() + initialPasswordDays * 86_400_000);

const findAccount = async (trx: Trx, reference: string): Promise<AccountRow | null> =>
  (await trx.selectFrom('vendor_accounts').selectAll().where('id', '=', reference).executeTakeFirst()) ??
  (await findByName(trx, reference));

const hasAnother = async (trx: Trx, id: string): Promise<boolean> =>
  (await trx
    .selectFrom('vendor_accounts')
    .select('id')
    .where('id', '<>', id)
    .where('disabled_at', 'is', null)
    .where('totp_sealed', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;
