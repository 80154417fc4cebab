import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { LicenseRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { recordEvent } from '../licenses/license-events.ts';
import { readStanding } from './transfer-facts.ts';
import type { TransferMails } from './transfer-mails.ts';
import { decideTransfer, type TransferRefusal } from './transfer-rules.ts';

type Trx = Transaction<PortalTables>;

export interface TransferRequest {
  /** The tenant that must own the license. */
  readonly tenantId: string;
  readonly licenseId: string;
  /** In lower case. */
  readonly hwid: string;
  /** The pending transfer to correct; null: there was none when the customer looked. */
  readonly replaces: string | null;
}

export type TransferAnswer =
  | { readonly outcome: 'pending' }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'refused'; readonly refusal: TransferRefusal };

type Cancellation = 'cancelled' | 'nothing-pending' | 'not-found';

export interface Transfers {
  request(wanted: TransferRequest): Promise<TransferAnswer>;
  cancel(tenantId: string, licenseId: string): Promise<Cancellation>;
}

/** What a customer may do. Every change holds the lock of the license's row, as an activation does. */
export const createTransfers = ({
  db,
  clock,
  mails,
}: {
  readonly db: Kysely<PortalTables>;
  readonly clock: Clock;
  readonly mails: TransferMails;
}): Transfers => ({
  request: ({ tenantId, licenseId, hwid, replaces }) =>
    db.transaction().execute(async (trx): Promise<TransferAnswer> => {
      const license = await lockLicense(trx, tenantId, licenseId);
      if (!license) return { outcome: 'not-found' };
      const now = clock.now();
      const standing = await readStanding(trx, licenseId);
      const boundHwid = await readBoundHwid(trx, licenseId);
      const { status, expires_at: expiresAt } = license;
      const decision = decideTransfer({ ...standing, status, expiresAt, boundHwid }, hwid, replaces, now);
      if (decision.outcome === 'refuse') return { outcome: 'refused', refusal: decision };
      if (decision.outcome === 'unchanged') return { outcome: 'pending' };

      if (standing.pending) await cancelPending(trx, standing.pending.id, now);
      await trx
        .insertInto('hwid_transfers')
        .values({
          license_id: licenseId,
          from_hwid: boundHwid,
          to_hwid: hwid,
          state: 'pending',
          requested_at: now,
          settled_at: null,
        })
        .execute();
      const data = { from: boundHwid, to: hwid, corrects: standing.pending?.toHwid ?? null };
      await recordEvent(trx, { licenseId, kind: 'transfer_requested', actor: 'customer', at: now, data });
      await mails.requested(trx, license, { fromHwid: boundHwid, toHwid: hwid, at: now });
      return { outcome: 'pending' };
    }),

  cancel: (tenantId, licenseId) =>
    db.transaction().execute(async (trx): Promise<Cancellation> => {
      const license = await lockLicense(trx, tenantId, licenseId);
      if (!license) return 'not-found';
      const { pending } = await readStanding(trx, licenseId);
      if (!pending) return 'nothing-pending';
      const now = clock.now();
      await cancelPending(trx, pending.id, now);
      const data = { to: pending.toHwid };
      await recordEvent(trx, { licenseId, kind: 'transfer_cancelled', actor: 'customer', at: now, data });
      return 'cancelled';
    }),
});

const lockLicense = (trx: Trx, tenantId: string, id: string): Promise<LicenseRow | undefined> =>
  trx
    .selectFrom('licenses')
    .selectAll()
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst();

const readBoundHwid = async (trx: Trx, licenseId: string): Promise<string | null> =>
  (await trx.selectFrom('machines').select('hwid').where('license_id', '=', licenseId).executeTakeFirst())
    ?.hwid ?? null;

const cancelPending = (trx: Trx, id: string, at: Date) =>
  trx
    .updateTable('hwid_transfers')
    .set({ state: 'cancelled', settled_at: at })
    .where('id', '=', id)
    .execute();
