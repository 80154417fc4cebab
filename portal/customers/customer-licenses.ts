import type { Kysely } from 'kysely';
import type { Language } from '#contracts/kernel/language.ts';
import type { CustomerLicense, LicenseHistory } from '#contracts/portal/customers.ts';
import type { Clock } from '#runtime/clock.ts';
import type { LicenseRow, MachineRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import { maskKey, writeExpiry } from '../licenses/license-view.ts';
import { readStandings, type TransferStanding } from '../transfers/transfer-facts.ts';
import { nextFreeTransfer } from '../transfers/transfer-rules.ts';
import { tellHistory } from './license-history.ts';

export interface CustomerLicenses {
  list(tenantId: string): Promise<readonly CustomerLicense[]>;
  /** Also null if it belongs to someone else. */
  find(tenantId: string, licenseId: string): Promise<CustomerLicense | null>;
  /** For a license that `find` returned. */
  history(licenseId: string, language: Language): Promise<LicenseHistory>;
}

interface CustomerLicensesOptions {
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly clock: Clock;
}

/** More than anyone has bought; a longer page would not be read. */
const maxLicenses = 500;
const maxEvents = 200;

export const createCustomerLicenses = ({ db, vault, clock }: CustomerLicensesOptions): CustomerLicenses => {
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
