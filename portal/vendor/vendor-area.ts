import type { Kysely } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import { createPasswordHasher } from '#runtime/password-hash.ts';
import type { Secret } from '#runtime/secret.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import { createReadLicenseStatistics, type LicenseStatistics } from '../licenses/license-statistics.ts';
import type { LicensesBy } from '../licenses/vendor-licenses.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Plans } from '../purchases/plans.ts';
import type { Purchases } from '../purchases/purchases.ts';
import type { SigningKeys } from '../signing-keys/signing-keys.ts';
import { readStanding, type TransferStanding } from '../transfers/transfer-facts.ts';
import { createVendorAccounts, type VendorAccounts } from './accounts/accounts.ts';
import { createVendorThrottle } from './accounts/attempt-budgets.ts';
import { createEnrolment, type Enrolment } from './accounts/enrolment.ts';
import { createFirstAccount, type FirstAccount } from './accounts/first-account.ts';
import { createOwnAccount, type OwnAccount } from './accounts/own-account.ts';
import { createVendorSignIn, type VendorSignIn } from './accounts/sign-in.ts';
import { createVendorSessions, type VendorSessions } from './accounts/vendor-sessions.ts';
import type { CheckCounts } from './check-counts.ts';
import { type CustomerList, createCustomerList } from './customer-list.ts';
import { createEventLog, type EventLog, recordVendorEvent, type VendorEvent } from './event-log.ts';
import type { FigureDays } from './figures/figure-steps.ts';
import { createReadFigures, type Figures } from './figures/read-figures.ts';
import { createSearchLicenses, type SearchLicenses } from './search-licenses.ts';
import { createVendorCalendar, type VendorCalendar } from './vendor-calendar.ts';

/** What the vendor may see and do, through pages and commands alike. */
export interface VendorArea {
  readonly licensesBy: LicensesBy;
  readonly search: SearchLicenses;
  readonly events: EventLog;
  /** The state of a license's transfers. */
  transfersOf(licenseId: string): Promise<TransferStanding>;
  readonly customers: CustomerList;
  readonly figures: () => Promise<LicenseStatistics | null>;
  readonly checks: CheckCounts;
  readonly accounts: VendorAccounts;
  readonly own: OwnAccount;
  readonly firstAccount: FirstAccount;
  readonly signIn: VendorSignIn;
  readonly enrolment: Enrolment;
  readonly sessions: VendorSessions;
  readonly signingKeys: SigningKeys;
  readonly outbox: Outbox;
  readonly purchases: Purchases;
  readonly plans: Plans;
  readonly calendar: VendorCalendar;
  readonly readFigures: (days: FigureDays, timeZone: string) => Promise<Figures>;
  /** Records an action on something that keeps no log of its own. */
  record(event: Omit<VendorEvent, 'at'>): Promise<void>;
  now(): Date;
}

export const createVendorArea = (
  options: Pick<VendorArea, 'licensesBy' | 'checks' | 'signingKeys' | 'outbox' | 'purchases' | 'plans'> & {
    readonly db: Kysely<PortalTables>;
    readonly box: SecretBox;
    readonly vault: LicenseKeyVault;
    readonly clock: Clock;
    /** PORTAL_ADMIN_TOKEN; null: the first account is created on the command line. */
    readonly adminToken: Secret | null;
  },
): VendorArea => {
  const { db, box, vault, clock, adminToken, licensesBy, checks, signingKeys, outbox, purchases, plans } =
    options;
  const passwords = createPasswordHasher();
  const sessions = createVendorSessions(db, box, clock);
  const throttle = createVendorThrottle(db);
  const signing = { db, box, clock, passwords, sessions, throttle };
  return {
    licensesBy,
    search: createSearchLicenses(db, vault),
    events: createEventLog(db),
    transfersOf: (licenseId) => readStanding(db, licenseId),
    customers: createCustomerList(db),
    figures: createReadLicenseStatistics(db, clock),
    checks,
    accounts: createVendorAccounts({ db, clock, passwords, sessions }),
    own: createOwnAccount(signing),
    firstAccount: createFirstAccount({ ...signing, adminToken }),
    signIn: createVendorSignIn(signing),
    enrolment: createEnrolment(signing),
    sessions,
    signingKeys,
    outbox,
    purchases,
    plans,
    calendar: createVendorCalendar(db, () => clock.now()),
    readFigures: createReadFigures(db, clock),
    record: (event) => recordVendorEvent(db, { ...event, at: clock.now() }),
    now: () => clock.now(),
  };
};
