import type { Kysely, Transaction } from 'kysely';
import type { LicenseActor, LicenseEventKind, VendorEventKind } from '../database/stored-values.ts';
import type { PortalTables } from '../database/tables.ts';
import { newestChangeOf } from '../licenses/license-events.ts';

/** Times are ISO 8601 in UTC. */
export interface LicenseEventView {
  readonly id: string;
  readonly licenseId: string;
  readonly kind: LicenseEventKind;
  readonly actor: LicenseActor;
  /** The name of a vendor account, or `command line`; null if the kind of actor says it all. */
  readonly actorName: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
}

export interface VendorEventView {
  readonly id: string;
  readonly kind: VendorEventKind;
  readonly actorName: string;
  readonly subject: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
}

interface LogSlice {
  /** Id of the last event on the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first; events older than the oldest one here are read with its id as `before`. */
export interface EventLog {
  ofLicenses(
    wanted: LogSlice & { readonly licenseId?: string | undefined },
  ): Promise<readonly LicenseEventView[]>;
  ofVendor(wanted: LogSlice): Promise<readonly VendorEventView[]>;
  /** For a license: what a change must have seen. */
  newestChangeOf(licenseId: string): Promise<string | null>;
}

export const createEventLog = (db: Kysely<PortalTables>): EventLog => ({
  newestChangeOf: (licenseId) => newestChangeOf(db, licenseId),

  async ofLicenses({ licenseId, before, limit }) {
    let query = db.selectFrom('license_events').selectAll();
    if (licenseId) query = query.where('license_id', '=', licenseId);
    if (before) query = query.where('id', '<', before);
    const rows = await query.orderBy('id', 'desc').limit(limit).execute();
    return rows.map((row) => ({
      id: row.id,
      licenseId: row.license_id,
      kind: row.kind,
      actor: row.actor,
      actorName: row.actor_name,
      data: row.data,
      at: row.at.toISOString(),
    }));
  },

  async ofVendor({ before, limit }) {
    let query = db.selectFrom('vendor_events').selectAll();
    if (before) query = query.where('id', '<', before);
    const rows = await query.orderBy('id', 'desc').limit(limit).execute();
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      actorName: row.actor_name,
      subject: row.subject,
      data: row.data,
      at: row.at.toISOString(),
    }));
  },
});

export interface VendorEvent {
  readonly kind: VendorEventKind;
  /** Name of the vendor account, or `command line`. */
  readonly by: string;
  readonly subject?: string;
  readonly at: Date;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Must be called in the transaction of the change itself, if there is one. */
export const recordVendorEvent = async (
  trx: Transaction<PortalTables> | Kysely<PortalTables>,
  { kind, by, subject, at, data = {} }: VendorEvent,
): Promise<void> => {
  await trx
    .insertInto('vendor_events')
    .values({ kind, actor_name: by, subject: subject ?? null, data: JSON.stringify(data), at })
    .execute();
};
