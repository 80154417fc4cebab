import { capExpiry } from '#contracts/license/licenses.ts';
import type { LicenseRow, MachineRow } from '../database/rows.ts';
import type { LicenseStatus } from './license-status.ts';

/** A license as the vendor sees it. Times are ISO 8601 in UTC. */
export interface LicenseView {
  readonly id: string;
  /** The last four characters are enough to compare with a purchase mail. */
  readonly maskedKey: string;
  readonly status: LicenseStatus;
  /** What the customer was told when it was suspended or revoked; null: nothing. */
  readonly statusReason: string | null;
  readonly tenantId: string;
  readonly buyerEmail: string;
  readonly buyerName: string | null;
  readonly purchaseId: string;
  readonly tier: string;
  readonly features: readonly string[];
  readonly maxClusters: number | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly machine: MachineView | null;
}

interface MachineView {
  readonly hwid: string;
  readonly instanceId: string;
  readonly version: string;
  readonly boundAt: string;
  readonly lastValidatedAt: string | null;
}

/** The last four characters are enough to compare with a purchase mail. */
export const maskKey = (licenseKey: string): string => `CSTL-****-****-****-${licenseKey.slice(-4)}`;

/** Rows may contain a later date than can be set today. */
export const writeExpiry = (at: Date): string => capExpiry(at).toISOString();

export const viewLicense = (
  row: LicenseRow,
  licenseKey: string,
  machine: MachineRow | null,
): LicenseView => ({
  id: row.id,
  maskedKey: maskKey(licenseKey),
  status: row.status,
  statusReason: row.status_reason,
  tenantId: row.tenant_id,
  buyerEmail: row.buyer_email,
  buyerName: row.buyer_name,
  purchaseId: row.purchase_id,
  tier: row.tier,
  features: row.features,
  maxClusters: row.max_clusters,
  expiresAt: row.expires_at && writeExpiry(row.expires_at),
  createdAt: row.created_at.toISOString(),
  machine: machine && {
    hwid: machine.hwid,
    instanceId: machine.instance_id,
    version: machine.version,
    boundAt: machine.bound_at.toISOString(),
    lastValidatedAt: machine.last_validated_at?.toISOString() ?? null,
  },
});
