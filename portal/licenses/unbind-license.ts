import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import { recordEvent } from './license-events.ts';
import type { Refusal } from './license-status.ts';

export interface Unbinding {
  readonly licenseId: string;
  /** Name of the vendor account, or `command line`. */
  readonly by: string;
  readonly at: Date;
}

/**
 * Unbinds a license from its machine, under the lock of the license's row. This also ends a pending transfer: any
 * machine may activate now, and the transfer would keep all others out.
 */
export const freeLicense = async (
  trx: Transaction<PortalTables>,
  { licenseId, by, at }: Unbinding,
): Promise<Refusal | null> => {
  const machine = await trx
    .deleteFrom('machines')
    .where('license_id', '=', licenseId)
    .returning('hwid')
    .executeTakeFirst();
  const transfer = await trx
    .updateTable('hwid_transfers')
    .set({ state: 'cancelled', settled_at: at })
    .where('license_id', '=', licenseId)
    .where('state', '=', 'pending')
    .returning('to_hwid')
    .executeTakeFirst();
  if (!machine && !transfer)
    return { allowed: false, code: 'not-bound', reason: 'The license is not bound to any machine.' };
  const data = { hwid: machine?.hwid ?? null, cancelledTransferTo: transfer?.to_hwid ?? null };
  await recordEvent(trx, { licenseId, kind: 'unbound', actor: 'vendor', actorName: by, at, data });
  return null;
};
