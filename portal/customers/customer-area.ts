import type { Kysely } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import { limitConcurrency } from '#runtime/limit-concurrency.ts';
import { databaseTasks } from '../database/database-fault.ts';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { TransferMails } from '../transfers/transfer-mails.ts';
import {
  createTransfers,
  type TransferAnswer,
  type TransferRequest,
  type Transfers,
} from '../transfers/transfers.ts';
import { countAttempts } from './attempt-limits.ts';
import { type CustomerLicenses, createCustomerLicenses } from './customer-licenses.ts';
import { type CustomerSessions, createCustomerSessions } from './customer-sessions.ts';
import { createKeyReveal, type KeyReveal } from './key-reveal.ts';
import { createSignIn, type RateLimited, type SignIn } from './sign-in.ts';

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

interface CustomerAreaOptions {
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly transferMails: TransferMails;
  /** The address of the pages; null if unknown. */
  readonly accountUrl: string | null;
}

/**
 * Requests that anyone can make must not use up the whole pool, which also checks licenses. Sessions are looked up
 * separately from sign-ins: a flood of sign-ins must not lock out customers who are already signed in.
 */
const signInConnections = 3;
const lookUpConnections = 2;
const maxWaiting = 256;

export const createCustomerArea = (options: CustomerAreaOptions): CustomerArea => {
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
