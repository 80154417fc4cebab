import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import { recordEvent } from '../licenses/license-events.ts';

/** Grants one more transfer beyond the free ones. It does not expire, and is used up when a new machine is bound. */
export const grantTransfer = async (
  trx: Transaction<PortalTables>,
  {
    licenseId,
    by,
    at,
  }: {
    readonly licenseId: string;
    /** Name of the vendor account, or `command line`. */
    readonly by: string;
    readonly at: Date;
  },
): Promise<void> => {
  await trx
    .insertInto('transfer_grants')
    .values({ license_id: licenseId, granted_by: by, granted_at: at, spent_by: null })
    .execute();
  await recordEvent(trx, { licenseId, kind: 'transfer_granted', actor: 'vendor', actorName: by, at });
};
