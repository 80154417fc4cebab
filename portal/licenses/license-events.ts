import type { Kysely, Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseActor, LicenseEventKind } from './licenses.tables.ts';

export interface LicenseEvent {
  readonly licenseId: string;
  readonly kind: LicenseEventKind;
  readonly actor: LicenseActor;
  /** Of a vendor account, or `command line`. */
  readonly actorName?: string;
  readonly at: Date;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** To be called in the transaction of the change itself. */
export const recordEvent = async (trx: Transaction<PortalTables>, event: LicenseEvent): Promise<void> => {
  const { licenseId, kind, actor, actorName = null, at, data = {} } = event;
  await trx
    .insertInto('license_events')
    .values({ license_id: licenseId, kind, actor, actor_name: actorName, data: JSON.stringify(data), at })
    .execute();
};

/** What whoever has the key, or the customer, brings about as often as they like, and what changes nothing for the vendor. */
const passingKinds = [
  'activated',
  'activation_refused',
  'key_revealed',
  'transfer_requested',
  'transfer_cancelled',
] as const satisfies readonly LicenseEventKind[];

/**
 * The newest event that somebody who is about to change the license must have seen; null: there is none. Passing ones do
 * not count: else a machine that knocks every second would keep the vendor from ever revoking.
 */
export const newestChangeOf = async (db: Kysely<PortalTables>, licenseId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('license_events')
    .select('id')
    .where('license_id', '=', licenseId)
    .where('kind', 'not in', passingKinds)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
};
