import { type Kysely, sql } from 'kysely';
import type { PortalTables } from '../database/tables.ts';

interface PendingTransfer {
  readonly id: string;
  readonly toHwid: string;
  readonly requestedAt: Date;
}

/** The state of a license's transfers. */
export interface TransferStanding {
  readonly pending: PendingTransfer | null;
  readonly lastFreeAt: Date | null;
  readonly grants: number;
}

interface StandingRow {
  license_id: string;
  pending_id: string | null;
  to_hwid: string | null;
  requested_at: Date | null;
  last_free_at: Date | null;
  grants: number;
}

/** @returns one for each requested license, by its id */
export const readStandings = async (
  db: Kysely<PortalTables>,
  licenseIds: readonly string[],
): Promise<ReadonlyMap<string, TransferStanding>> => {
  const { rows } = await sql<StandingRow>`
    select
      license.id as license_id, pending.id::text as pending_id, pending.to_hwid, pending.requested_at,
      (
        select max(settled_at) from hwid_transfers
        where license_id = license.id and state = 'completed' and not granted_by_vendor
      ) as last_free_at,
      (select count(*)::int from transfer_grants where license_id = license.id and spent_by is null) as grants
    from unnest(${licenseIds}::text[]) as license(id)
    left join hwid_transfers as pending on pending.license_id = license.id and pending.state = 'pending'
  `.execute(db);
  return new Map(rows.map((row) => [row.license_id, standingOf(row)]));
};

const standingOf = (row: StandingRow): TransferStanding => ({
  pending:
    row.pending_id !== null && row.to_hwid !== null && row.requested_at !== null
      ? { id: row.pending_id, toHwid: row.to_hwid, requestedAt: row.requested_at }
      : null,
  lastFreeAt: row.last_free_at,
  grants: row.grants,
});

export const readStanding = async (db: Kysely<PortalTables>, licenseId: string): Promise<TransferStanding> =>
  (await readStandings(db, [licenseId])).get(licenseId) ?? { pending: null, lastFreeAt: null, grants: 0 };
