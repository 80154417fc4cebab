import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import type { CompletedTransfer } from '../licenses/activation.ts';
import { recordEvent } from '../licenses/license-events.ts';
import { readStanding } from './transfer-facts.ts';
import type { TransferMails } from './transfer-mails.ts';
import { priceOfTransfer } from './transfer-rules.ts';

/**
 * The new machine has been bound: only now is the transfer used up. In the transaction that binds the license, under
 * the lock of its row.
 */
export const completeTransfer = async (
  trx: Transaction<PortalTables>,
  mails: TransferMails,
  { transferId, license, fromHwid, toHwid, at }: CompletedTransfer,
): Promise<void> => {
  const price = priceOfTransfer(await readStanding(trx, license.id), at);
  await trx
    .updateTable('hwid_transfers')
    .set({ state: 'completed', settled_at: at, granted_by_vendor: price === 'grant' })
    .where('id', '=', transferId)
    .execute();
  if (price === 'grant') await spendOldestGrant(trx, license.id, transferId);
  const data = { from: fromHwid, to: toHwid };
  await recordEvent(trx, { licenseId: license.id, kind: 'transferred', actor: 'client', at, data });
  await mails.completed(trx, license, { fromHwid, toHwid, at });
};

const spendOldestGrant = (trx: Transaction<PortalTables>, licenseId: string, transferId: string) =>
  trx
    .updateTable('transfer_grants')
    .set({ spent_by: transferId })
    .where('id', '=', (grants) =>
      grants
        .selectFrom('transfer_grants')
        .select('id')
        .where('license_id', '=', licenseId)
        .where('spent_by', 'is', null)
        .orderBy('id')
        .limit(1),
    )
    .execute();
