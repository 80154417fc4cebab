import type { Kysely } from 'kysely';
import { parseLicenseKey } from '#contracts/license/license-key.ts';
import { tenantIdSchema } from '#contracts/license/licenses.ts';
import type { LicenseRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseKeyVault } from './license-key-vault.ts';
import { type LicenseView, viewLicense } from './license-view.ts';

type From = Kysely<PortalTables>;

interface LicenseFinder {
  /** @param reference license key or id; @param lock until the end of the transaction */
  lookUp(from: From, reference: string, lock?: boolean): Promise<LicenseRow | undefined>;
  /** In the order of the rows. */
  view(from: From, rows: readonly LicenseRow[]): Promise<readonly LicenseView[]>;
}

export const createLicenseFinder = (vault: LicenseKeyVault): LicenseFinder => ({
  async lookUp(from, reference, lock = false) {
    let query = from.selectFrom('licenses').selectAll();
    if (lock) query = query.forNoKeyUpdate();
    if (tenantIdSchema.safeParse(reference).success)
      return query.where('id', '=', reference).executeTakeFirst();
    const key = parseLicenseKey(reference);
    return key === null ? undefined : query.where('key_hash', '=', vault.hash(key)).executeTakeFirst();
  },

  async view(from, rows) {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const machines = await from.selectFrom('machines').selectAll().where('license_id', 'in', ids).execute();
    const machineOf = new Map(machines.map((machine) => [machine.license_id, machine]));
    return rows.map((row) =>
      viewLicense(row, vault.open(row.key_sealed, row.id), machineOf.get(row.id) ?? null),
    );
  },
});
