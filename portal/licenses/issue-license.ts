import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import { rollBackWhen } from '#runtime/database/roll-back-when.ts';
import { newId } from '../database/new-id.ts';
import type { PortalTables } from '../database/tables.ts';
import { ensurePurchase, ensureTenant } from './buyers.ts';
import { type InsertedLicense, insertLicense } from './insert-license.ts';
import type { LicenseKeyVault } from './license-key-vault.ts';
import { type LicenseView, viewLicense } from './license-view.ts';

type Trx = Transaction<PortalTables>;

export interface NewLicense {
  readonly buyerEmail: string;
  readonly buyerName?: string | null | undefined;
  readonly tier: string;
  /** `['*']` means all. */
  readonly features: readonly string[];
  readonly maxClusters: number | null;
  readonly expiresAt: Date | null;
  /** Order id at the payment gateway; without an order, a new id is created. */
  readonly purchaseId?: string | undefined;
  /** The license's owner; by default the tenant with the buyer's e-mail address. */
  readonly tenantId?: string | undefined;
  /** A new id that the request itself contains, so that the same request sent twice issues one license. */
  readonly id?: string | undefined;
  /** Whether the buyer is mailed the key. */
  readonly mailKey?: boolean | undefined;
}

export type Issue =
  | { readonly outcome: 'issued'; readonly licenseKey: string; readonly license: LicenseView }
  /** @property licenseId the license that the same request issued before */
  | {
      readonly outcome: 'refused';
      readonly code: 'issued-before' | 'no-customer' | 'other-customer';
      readonly reason: string;
      readonly licenseId?: string;
    };

/** Mails an issued license to its buyer, in the transaction of the issue. */
export type MailKey = (trx: Trx, issued: InsertedLicense) => Promise<void>;

const refuse = <Code extends string>(code: Code, reason: string) =>
  ({ outcome: 'refused', code, reason }) as const;

/**
 * A refused request leaves nothing behind, not even a customer.
 * @param by name of the vendor account, or `command line`
 */
export const issueLicense = (
  {
    db,
    vault,
    clock,
    mailKey,
  }: {
    readonly db: Kysely<PortalTables>;
    readonly vault: LicenseKeyVault;
    readonly clock: Clock;
    readonly mailKey: MailKey;
  },
  wanted: NewLicense,
  by: string,
): Promise<Issue> =>
  rollBackWhen<PortalTables, Issue>(
    db,
    ({ outcome }) => outcome === 'refused',
    async (trx) => {
      const now = clock.now();
      const id = wanted.id ?? newId();
      if (wanted.id !== undefined && (await isIssued(trx, wanted.id)))
        return { ...refuse('issued-before', 'This license was issued already.'), licenseId: id };
      const tenantId = await ensureTenant(trx, wanted.tenantId, wanted.buyerEmail, now);
      if (tenantId === null) return refuse('no-customer', `There is no tenant ${wanted.tenantId}.`);
      const purchaseId = wanted.purchaseId ?? `vendor-${id}`;
      const buyer = await ensurePurchase(trx, purchaseId, tenantId, wanted.buyerEmail, now);
      if (buyer !== tenantId)
        return refuse('other-customer', `Purchase ${purchaseId} belongs to another tenant, ${buyer}.`);

      const inserted = await insertLicense(
        trx,
        vault,
        { ...wanted, id, tenantId, purchaseId },
        { actor: 'vendor', actorName: by, at: now },
      );
      if (wanted.mailKey) await mailKey(trx, inserted);
      const { license, licenseKey } = inserted;
      return { outcome: 'issued', licenseKey, license: viewLicense(license, licenseKey, null) };
    },
  );

/** The same request, sent at the same time, waits here, and then sees the license. */
const isIssued = async (trx: Trx, id: string): Promise<boolean> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(trx);
  const row = await trx.selectFrom('licenses').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
};
