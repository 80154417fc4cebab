import type { Kysely, Transaction } from 'kysely';
import type { LicenseActor, LicenseEventKind } from '../database/stored-values.ts';
import type { PortalTables } from '../database/tables.ts';

export interface LicenseEvent {
  readonly licenseId: string;
  readonly kind: LicenseEventKind;
  readonly actor: LicenseActor;
  /** The name of a vendor account, or `command line`. */
  readonly actorName?: string;
  readonly at: Date;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Must be called in the transaction of the change itself. */
export const recordEvent = async (trx: Transaction<PortalTables>, event: LicenseEvent): Promise<void> => {
  const { licenseId, kind, actor, actorName = null, at, data = {} } = event;
  await trx
    .insertInto('license_events')
    .values({ license_id: licenseId, kind, actor, actor_name: actorName, data: JSON.stringify(data), at })
    .execute();
};

/** Events that a holder of the key, or the customer, can cause any number of times, and that change nothing for the vendor. */
const passingKinds = [
  'activated',
  'activation_refused',
  'key_revealed',
  'transfer_requested',
  'transfer_cancelled',
] as const satisfies readonly LicenseEventKind[];

/**
 * The newest event that must have been seen before changing the license; null: there is none. Passing events do not
 * count: otherwise a machine that sends requests every second could prevent the vendor from ever revoking it.
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
