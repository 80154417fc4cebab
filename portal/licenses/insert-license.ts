import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { makeLicenseKey } from '#contracts/license/license-key.ts';
import type { LicenseRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { type LicenseEvent, recordEvent } from './license-events.ts';
import type { LicenseKeyVault } from './license-key-vault.ts';

export interface InsertedLicense {
  readonly license: LicenseRow;
  /** Shown or mailed now, and sealed afterwards. */
  readonly licenseKey: string;
}

/** A new license with a new key, and the event of its issue. Its tenant and purchase must exist. */
export const insertLicense = async (
  trx: Transaction<PortalTables>,
  vault: LicenseKeyVault,
  wanted: {
    readonly id: string;
    readonly tenantId: string;
    readonly buyerEmail: string;
    readonly buyerName?: string | null | undefined;
    readonly purchaseId: string;
    readonly tier: string;
    /** `['*']` means all. */
    readonly features: readonly string[];
    readonly maxClusters: number | null;
    readonly expiresAt: Date | null;
  },
  by: Pick<LicenseEvent, 'actor' | 'actorName' | 'at'>,
): Promise<InsertedLicense> => {
  const { id, tier, features, maxClusters, expiresAt, purchaseId } = wanted;
  const licenseKey = makeLicenseKey(randomBytes(16));
  const license = await trx
    .insertInto('licenses')
    .values({
      id,
      tenant_id: wanted.tenantId,
      key_sealed: vault.seal(licenseKey, id),
      key_hash: vault.hash(licenseKey),
      tier,
      features: JSON.stringify(features),
      max_clusters: maxClusters,
      expires_at: expiresAt,
      status: 'active',
      buyer_email: wanted.buyerEmail,
      buyer_name: wanted.buyerName ?? null,
      purchase_id: purchaseId,
      created_at: by.at,
      status_reason: null,
      key_tail: licenseKey.slice(-4),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const data = { tier, features, maxClusters, expiresAt, purchaseId };
  await recordEvent(trx, { licenseId: id, ...by, kind: 'issued', data });
  return { license, licenseKey };
};
