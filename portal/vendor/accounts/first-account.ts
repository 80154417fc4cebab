import { type Kysely, sql } from 'kysely';
import { newPassword } from '#contracts/kernel/person-name.ts';
import { isSecret } from '#runtime/auth/secret-token.ts';
import { newTotpSecret, totpStepOf, totpUri } from '#runtime/auth/totp.ts';
import type { Clock } from '#runtime/clock.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import { Secret } from '#runtime/secret.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import { newId } from '../../database/new-id.ts';
import type { PortalTables } from '../../database/tables.ts';
import { accountName, adminTokenHolder } from '../actor-names.ts';
import { recordVendorEvent } from '../event-log.ts';
import type { RateLimited, VendorThrottle } from './attempt-budgets.ts';
import type { AuthenticatorOffer } from './enrolment.ts';
import { accountTotpColumn, renewRecoveryCodes } from './second-factor.ts';
import { letIn, type SignedIn } from './sign-in.ts';
import type { VendorClient, VendorSessions } from './vendor-sessions.ts';

type Opened =
  | { readonly outcome: 'opened'; readonly permit: string }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'done-before' }
  | RateLimited;

type FirstAccountAnswer =
  | (SignedIn & { readonly recoveryCodes: readonly string[] })
  | { readonly outcome: 'refused'; readonly field: 'name' | 'password' | 'code' }
  | { readonly outcome: 'gone' };

/** PORTAL_ADMIN_TOKEN gives access to this and nothing else, as long as there is no account. */
export interface FirstAccount {
  readonly hasToken: boolean;
  isDone(): Promise<boolean>;
  /** @returns a permit for the next step, which is sealed and expires */
  open(adminToken: string, address: string): Promise<Opened>;
  offer(permit: string): AuthenticatorOffer | null;
  create(
    permit: string,
    wanted: { readonly name: string; readonly password: string; readonly code: string },
    client: VendorClient,
  ): Promise<FirstAccountAnswer>;
}

const permitPlace = 'vendor first account permit';
const permitMinutes = 30;

/** A random number; if two create the first account at the same time, one does, and the other sees it. */
const firstAccountLock = 2_760_113_959;

export const createFirstAccount = (options: {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  readonly sessions: VendorSessions;
  readonly throttle: VendorThrottle;
  readonly adminToken: Secret | null;
}): FirstAccount => {
  const { db, box, clock, passwords, sessions, throttle, adminToken } = options;
  const hasAccounts = async (from: Kysely<PortalTables>) =>
    (await from.selectFrom('vendor_accounts').select('id').limit(1).executeTakeFirst()) !== undefined;

  const readPermit = (permit: string): Secret | null => {
    try {
      const { until, secret } = JSON.parse(box.open(permit, permitPlace).toString());
      return until > clock.now().getTime() ? new Secret(secret) : null;
    } catch {
      return null;
    }
  };

  return {
    hasToken: adminToken !== null,
    isDone: () => hasAccounts(db),

    async open(shown, address) {
      if (await hasAccounts(db)) return { outcome: 'done-before' };
      const limited = await throttle.take([
        { scope: 'setup-address', subject: address },
        { scope: 'setup-everybody', subject: '' },
      ]);
      if (limited) return limited;
      if (adminToken === null || !isSecret(shown, adminToken)) return { outcome: 'wrong' };
      const until = clock.now().getTime() + permitMinutes * 60_000;
      const content = JSON.stringify({ until, secret: newTotpSecret().reveal() });
      return { outcome: 'opened', permit: box.seal(content, permitPlace) };
    },

    offer(permit) {
      const secret = readPermit(permit);
      return secret && { secret, uri: totpUri(secret, 'vendor') };
    },

    async create(permit, { name, password, code }, client) {
      const secret = readPermit(permit);
      if (!secret || (await hasAccounts(db))) return { outcome: 'gone' };
      const checkedName = accountName.safeParse(name);
      if (!checkedName.success) return { outcome: 'refused', field: 'name' };
      const checkedPassword = newPassword.safeParse(password);
      if (!checkedPassword.success) return { outcome: 'refused', field: 'password' };
      const step = totpStepOf(secret, code, { lastStep: null, nowMs: clock.now().getTime() });
      if (step === null) return { outcome: 'refused', field: 'code' };
      const passwordHash = await passwords.hash(checkedPassword.data);

      return db.transaction().execute(async (trx): Promise<FirstAccountAnswer> => {
        await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(trx);
        if (await hasAccounts(trx)) return { outcome: 'gone' };
        const now = clock.now();
        const account = { id: newId(), name: checkedName.data };
        await trx
          .insertInto('vendor_accounts')
          .values({
            ...account,
            password_hash: passwordHash,
            initial_until: null,
            totp_sealed: box.seal(secret.reveal(), accountTotpColumn.placeOf(account.id)),
            totp_last_step: String(step),
            disabled_at: null,
            created_at: now,
            last_signed_in_at: null,
            time_zone: null,
          })
          .execute();
        await recordVendorEvent(trx, {
          kind: 'account_created',
          by: adminTokenHolder,
          subject: account.name,
          at: now,
        });
        const recoveryCodes = await renewRecoveryCodes(trx, account.id);
        const signedIn = await letIn(trx, sessions, { account, session: null, client, now });
        return { ...signedIn, recoveryCodes };
      });
    },
  };
};
