import type { Kysely } from 'kysely';
import type pg from 'pg';
import { type Clock, systemClock } from '#runtime/clock.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { type Database, openDatabase } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';
import type { Secret } from '#runtime/secret.ts';
import { createSecretBox } from '#runtime/secret-box.ts';
import { accountUrlOf } from './customers/account-paths.ts';
import { type CustomerArea, createCustomerArea } from './customers/customer-area.ts';
import { migrations } from './database/migrations.ts';
import type { PortalTables } from './database/tables.ts';
import { createActivation } from './licenses/activation.ts';
import { fillKeyTails } from './licenses/fill-key-tails.ts';
import { createLicenseKeyVault, licenseKeyColumn } from './licenses/license-key-vault.ts';
import { createLicenseTokens } from './licenses/license-token.ts';
import type { LicenseFeature } from './licenses/licenses.routes.ts';
import { createValidation } from './licenses/validation.ts';
import { createVendorLicenses, type VendorLicenses } from './licenses/vendor-licenses.ts';
import { keepSendingMail } from './mail/keep-sending-mail.ts';
import { defaultMailSender, type MailSender } from './mail/mail-address.ts';
import { createOutbox, mailBodyColumn, type Outbox } from './mail/outbox.ts';
import type { MailTransport } from './mail/transport.ts';
import { type Resealed, type ResealProgress, resealAll } from './master-key/reseal.ts';
import { readHashKey, vaultKeyColumn } from './master-key/vault-keys.ts';
import { createPlans, type Plans } from './purchases/plans.ts';
import type { WebhookFeature } from './purchases/purchases.routes.ts';
import { createPurchases, type Purchases } from './purchases/purchases.ts';
import { type WebhookSecrets, webhookSecretsOf } from './purchases/webhook-secrets.ts';
import { type CountMalformed, createCountMalformed } from './rate-limits/malformed-requests.ts';
import { type KeyRing, openKeyRing } from './signing-keys/key-ring.ts';
import { privateKeyColumn } from './signing-keys/private-keys.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys/signing-keys.ts';
import { completeTransfer } from './transfers/complete-transfer.ts';
import { grantTransfer } from './transfers/grant-transfer.ts';
import { createTransferMails } from './transfers/transfer-mails.ts';
import { accountTotpColumn, sessionTotpColumn } from './vendor/accounts/second-factor.ts';
import { commandLine } from './vendor/actor-names.ts';
import { createCheckCounts } from './vendor/check-counts.ts';
import { createMailKey } from './vendor/mail-key.ts';
import { createVendorArea, type VendorArea } from './vendor/vendor-area.ts';

/** All parts of the portal, built once per process. */
export interface PortalContext extends AsyncDisposable {
  readonly db: Kysely<PortalTables>;
  readonly pool: pg.Pool;
  /** As `migrate` returns them. */
  readonly newerMigrations: readonly string[];
  readonly keyRing: KeyRing;
  readonly signingKeys: SigningKeys;
  /** Seals everything again that was sealed with another master key than the current one. */
  readonly reseal: (onProgress?: (progress: ResealProgress) => void) => Promise<Resealed>;
  readonly licenses: LicenseFeature;
  readonly countMalformed: CountMalformed;
  /** Acts as the command line. */
  readonly vendor: VendorLicenses;
  readonly vendorArea: VendorArea;
  readonly customers: CustomerArea;
  readonly outbox: Outbox;
  /** Sends the mails in the outbox until disposed. */
  readonly sendMail: (transport: MailTransport) => AsyncDisposable;
  readonly plans: Plans;
  readonly purchases: Purchases;
  readonly webhooks: WebhookFeature;
}

/** All columns that are sealed under the master key. */
export const sealedColumns: readonly SealedColumn[] = [
  licenseKeyColumn,
  privateKeyColumn,
  vaultKeyColumn,
  mailBodyColumn,
  accountTotpColumn,
  sessionTotpColumn,
];

/** Every request is answered in much less time, and clients hardly wait longer. */
const holdDeadlineMs = 5000;

/** Opens the database, brings its schema up to date and wires the features. */
export const createContext = async (options: {
  readonly databaseUrl: Secret;
  readonly masterKey: Secret;
  /** They open what they once sealed, and seal nothing new. */
  readonly previousMasterKeys?: readonly Secret[];
  readonly log: Log;
  readonly clock?: Clock;
  /** PORTAL_ADMIN_TOKEN; absent: the first vendor account is created on the command line. */
  readonly adminToken?: Secret | undefined;
  /** The address at which browsers reach the portal, for links in mails; absent: mails contain no links. */
  readonly publicUrl?: string | null;
  /** The sender of mails. */
  readonly mailFrom?: MailSender | undefined;
  /** Absent: no purchase webhook is accepted. */
  readonly webhookSecrets?: WebhookSecrets;
}): Promise<PortalContext> => {
  const { databaseUrl, masterKey, previousMasterKeys = [], log, clock = systemClock } = options;
  await using opened = new AsyncDisposableStack();
  const access = { url: databaseUrl, applicationName: 'castellan-portal', log };
  const newerMigrations = await bringUpToDate(access);
  const database: Database<PortalTables> = opened.use(openDatabase({ ...access, holdDeadlineMs }));
  const { db, pool } = database;
  const masterKeys = [masterKey, ...previousMasterKeys] as const;
  const box = createSecretBox([...masterKeys]);
  const keyRing = opened.use(await openKeyRing({ db, box, now: clock.now(), log }));
  const hashKey = await readHashKey({ db, box, masterKeys, now: clock.now() });
  const vault = createLicenseKeyVault({ box, hashKey });
  await fillKeyTails(db, vault, log);
  const tokens = createLicenseTokens(keyRing);
  const { mailFrom: from = defaultMailSender, webhookSecrets = webhookSecretsOf() } = options;
  const outbox = createOutbox({ db, box, clock, from });
  const purchases = createPurchases({ db, vault, outbox, clock, log });
  const accountUrl = accountUrlOf(options.publicUrl ?? null);
  const transferMails = createTransferMails({ outbox, vault, accountUrl });
  const signingKeys = createSigningKeys({ db, box, clock, log, onChange: keyRing.refresh });
  const mailKey = createMailKey(outbox);
  const licensesBy = createVendorLicenses({ db, vault, clock, mailKey, grantTransfer });
  const checks = createCheckCounts(db, clock);
  const validate = createValidation({ pool, tokens, clock });
  const plans = createPlans(db, clock);
  const vendorArea = createVendorArea({
    db,
    box,
    vault,
    clock,
    adminToken: options.adminToken ?? null,
    licensesBy,
    checks,
    signingKeys,
    outbox,
    purchases,
    plans,
  });
  const kept = opened.move();
  return {
    db,
    pool,
    newerMigrations,
    keyRing,
    signingKeys,
    reseal: (onProgress) => resealAll({ db, box, columns: sealedColumns }, onProgress),
    licenses: {
      activate: createActivation({
        pool,
        db,
        vault,
        tokens,
        clock,
        completeTransfer: (trx, transfer) => completeTransfer(trx, transferMails, transfer),
      }),
      validate: async (request, address) => {
        const answer = await validate(request, address);
        checks.note(answer.outcome);
        return answer;
      },
      revocationNumber: () => keyRing.revocationNumber,
    },
    countMalformed: createCountMalformed(pool, clock),
    vendor: licensesBy(commandLine),
    vendorArea,
    outbox,
    sendMail: (transport) => keepSendingMail({ db, box, clock, from, transport, log }),
    plans,
    purchases,
    webhooks: { purchases, webhookSecrets, clock },
    customers: createCustomerArea({ db, vault, clock, outbox, transferMails, accountUrl }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
};

/** On a separate connection: a migration may take longer than a request. */
const bringUpToDate = async (access: Parameters<typeof openDatabase>[0]): Promise<readonly string[]> => {
  await using database = openDatabase<PortalTables>(access);
  return await migrate({ db: database.db, migrations, log: access.log });
};
