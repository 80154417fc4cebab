import type { Kysely } from 'kysely';
import type { Language } from '#contracts/kernel/language.ts';
import { type CustomerLicense, type LicenseHistory, revealCodeMinutes } from '#contracts/portal/customers.ts';
import type { Clock } from '#runtime/clock.ts';
import { limitConcurrency } from '#runtime/limit-concurrency.ts';
import { databaseTasks } from '../database/database-fault.ts';
import type { LicenseRow, MachineRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { recordEvent } from '../licenses/license-events.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import { maskKey, writeExpiry } from '../licenses/license-view.ts';
import type { Outbox } from '../mail/outbox.ts';
import { readStandings, type TransferStanding } from '../transfers/transfer-facts.ts';
import type { TransferMails } from '../transfers/transfer-mails.ts';
import { nextFreeTransfer } from '../transfers/transfer-rules.ts';
import {
  createTransfers,
  type TransferAnswer,
  type TransferRequest,
  type Transfers,
} from '../transfers/transfers.ts';
import { countAttempts } from './attempt-limits.ts';
import { type CodeUse, putCode, type TakenCode, takeCode } from './customer-codes.ts';
import { revealCodeLetter } from './customer-letters.ts';
import { type Customer, type CustomerSessions, createCustomerSessions } from './customer-sessions.ts';
import { tellHistory } from './license-history.ts';
import { type CodeRequest, createSignIn, type RateLimited, type SignIn } from './sign-in.ts';

interface CustomerLicenses {
  list(tenantId: string): Promise<readonly CustomerLicense[]>;
  /** Also null if it belongs to someone else. */
  find(tenantId: string, licenseId: string): Promise<CustomerLicense | null>;
  /** For a license that `find` returned. */
  history(licenseId: string, language: Language): Promise<LicenseHistory>;
}

/** More than anyone has bought; a longer page would not be read. */
const maxLicenses = 500;
const maxEvents = 200;

const createCustomerLicenses = ({
  db,
  vault,
  clock,
}: {
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly clock: Clock;
}): CustomerLicenses => {
  const view = async (licenses: readonly LicenseRow[]): Promise<CustomerLicense[]> => {
    if (licenses.length === 0) return [];
    const ids = licenses.map(({ id }) => id);
    const machines = await db.selectFrom('machines').selectAll().where('license_id', 'in', ids).execute();
    const machineOf = new Map(machines.map((machine) => [machine.license_id, machine]));
    const standings = await readStandings(db, ids);
    const now = clock.now();
    return licenses.map((license) => ({
      id: license.id,
      maskedKey: maskKey(vault.open(license.key_sealed, license.id)),
      tier: license.tier,
      status: statusOf(license, now),
      reason: license.status_reason,
      expiresAt: license.expires_at && writeExpiry(license.expires_at),
      maxClusters: license.max_clusters,
      createdAt: license.created_at.toISOString(),
      machine: viewMachine(machineOf.get(license.id)),
      transfer: viewStanding(standings.get(license.id), now),
    }));
  };

  const ownedBy = (tenantId: string) =>
    db.selectFrom('licenses').selectAll().where('tenant_id', '=', tenantId);

  return {
    list: async (tenantId) =>
      view(await ownedBy(tenantId).orderBy('created_at', 'desc').orderBy('id').limit(maxLicenses).execute()),

    async find(tenantId, licenseId) {
      const license = await ownedBy(tenantId).where('id', '=', licenseId).executeTakeFirst();
      return license ? ((await view([license]))[0] ?? null) : null;
    },

    async history(licenseId, language) {
      const events = await db
        .selectFrom('license_events')
        .select(['kind', 'actor', 'data', 'at'])
        .where('license_id', '=', licenseId)
        .orderBy('id', 'desc')
        .limit(maxEvents)
        .execute();
      return tellHistory(events, language);
    },
  };
};

const statusOf = ({ status, expires_at }: LicenseRow, now: Date): CustomerLicense['status'] =>
  status === 'active' && expires_at !== null && expires_at <= now ? 'expired' : status;

const viewMachine = (machine: MachineRow | undefined): CustomerLicense['machine'] =>
  machine
    ? {
        hwid: machine.hwid,
        version: machine.version,
        boundAt: machine.bound_at.toISOString(),
        lastCheckedAt: machine.last_validated_at?.toISOString() ?? null,
      }
    : null;

const viewStanding = (standing: TransferStanding | undefined, now: Date): CustomerLicense['transfer'] => ({
  pending: standing?.pending
    ? { ...standing.pending, requestedAt: standing.pending.requestedAt.toISOString() }
    : null,
  nextFreeAt: nextFreeTransfer(standing?.lastFreeAt ?? null, now)?.toISOString() ?? null,
  extra: standing?.grants ?? 0,
});

type RevealAnswer =
  | { readonly outcome: 'revealed'; readonly licenseKey: string }
  | { readonly outcome: 'not-found' }
  | Exclude<TakenCode, { outcome: 'right' }>;

/** Shows customers their own license key, only for a fresh code, so that an open browser alone reveals none. */
interface KeyReveal {
  requestCode(
    customer: Customer,
    licenseId: string,
    language: Language | null,
  ): Promise<CodeRequest | { readonly outcome: 'not-found' }>;
  reveal(customer: Customer, licenseId: string, code: string): Promise<RevealAnswer>;
}

const codeUse = ({ token }: Customer, licenseId: string): CodeUse => ({
  holder: token,
  purpose: 'reveal-key',
  licenseId,
});

const createKeyReveal = (options: {
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly accountUrl: string | null;
}): KeyReveal => {
  const { db, vault, clock, outbox, accountUrl } = options;
  const sealedKey = async (from: Kysely<PortalTables>, { tenantId }: Customer, licenseId: string) =>
    (
      await from
        .selectFrom('licenses')
        .select('key_sealed')
        .where('id', '=', licenseId)
        .where('tenant_id', '=', tenantId)
        .executeTakeFirst()
    )?.key_sealed ?? null;

  return {
    async requestCode(customer, licenseId, language) {
      const { tenantId, email } = customer;
      const sealed = await sealedKey(db, customer, licenseId);
      if (sealed === null) return { outcome: 'not-found' };
      const retryAfterSeconds = await countAttempts(db, [{ scope: 'reveal-by-customer', subject: tenantId }]);
      if (retryAfterSeconds !== null) return { outcome: 'rate-limited', retryAfterSeconds };
      const expiresAt = new Date(clock.now().getTime() + revealCodeMinutes * 60_000);
      await db.transaction().execute(async (trx) => {
        const use = codeUse(customer, licenseId);
        const code = await putCode(trx, { ...use, email, tenantId, expiresAt });
        const maskedKey = maskKey(vault.open(sealed, licenseId));
        const content = revealCodeLetter(maskedKey, {
          code,
          language: language ?? customer.language,
          accountUrl,
        });
        await outbox.enqueue(trx, { ...content, to: email, expiresAt });
      });
      return { outcome: 'asked' };
    },

    async reveal(customer, licenseId, code) {
      return db.transaction().execute(async (trx): Promise<RevealAnswer> => {
        const sealed = await sealedKey(trx, customer, licenseId);
        if (sealed === null) return { outcome: 'not-found' };
        const now = clock.now();
        const taken = await takeCode(trx, codeUse(customer, licenseId), code, now);
        if (taken.outcome !== 'right') return taken;
        await recordEvent(trx, { licenseId, kind: 'key_revealed', actor: 'customer', at: now });
        return { outcome: 'revealed', licenseKey: vault.open(sealed, licenseId) };
      });
    },
  };
};

/** What a customer may do, through pages and JSON alike. */
export interface CustomerArea {
  readonly signIn: SignIn;
  readonly sessions: CustomerSessions;
  readonly licenses: CustomerLicenses;
  readonly reveal: KeyReveal;
  readonly transfers: Omit<Transfers, 'request'> & {
    request(wanted: TransferRequest): Promise<TransferAnswer | RateLimited>;
  };
}

/**
 * Requests that anyone can make must not use up the whole pool, which also checks licenses. Sessions are looked up
 * separately from sign-ins: a flood of sign-ins must not lock out customers who are already signed in.
 */
const signInConnections = 3;
const lookUpConnections = 2;
const maxWaiting = 256;

export const createCustomerArea = (options: {
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly transferMails: TransferMails;
  /** The address of the pages; null if unknown. */
  readonly accountUrl: string | null;
}): CustomerArea => {
  const { db, vault, clock, outbox, transferMails, accountUrl } = options;
  const sessions = createCustomerSessions(db, clock);
  const signIn = createSignIn({ db, vault, clock, outbox, sessions, accountUrl });
  const transfers = createTransfers({ db, clock, mails: transferMails });
  const few = (maxRunning: number) => limitConcurrency({ maxRunning, maxWaiting, ...databaseTasks });
  const inTurn = few(signInConnections);
  const lookUp = few(lookUpConnections);
  return {
    signIn: {
      ...signIn,
      askedFor: (pending) => lookUp(() => signIn.askedFor(pending)),
      requestCode: (...asked) => inTurn(() => signIn.requestCode(...asked)),
      signIn: (...tried) => inTurn(() => signIn.signIn(...tried)),
    },
    sessions: { ...sessions, find: (...shown) => lookUp(() => sessions.find(...shown)) },
    licenses: createCustomerLicenses({ db, vault, clock }),
    reveal: createKeyReveal({ db, vault, clock, outbox, accountUrl }),
    transfers: {
      ...transfers,
      async request(wanted) {
        const subject = JSON.stringify([wanted.tenantId, wanted.licenseId]);
        const retryAfterSeconds = await countAttempts(db, [{ scope: 'transfer-of-license', subject }]);
        if (retryAfterSeconds !== null) return { outcome: 'rate-limited', retryAfterSeconds };
        return transfers.request(wanted);
      },
    },
  };
};
