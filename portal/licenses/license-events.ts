import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseActor, LicenseEventKind } from './licenses.tables.ts';

export interface LicenseEvent {
  readonly licenseId: string;
  readonly kind: LicenseEventKind;
  readonly actor: LicenseActor;
  readonly at: Date;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** To be called in the transaction of the change itself. */
export const recordEvent = async (trx: Transaction<PortalTables>, event: LicenseEvent): Promise<void> => {
  const { licenseId, kind, actor, at, data = {} } = event;
  await trx
    .insertInto('license_events')
    .values({ license_id: licenseId, kind, actor, data: JSON.stringify(data), at })
    .execute();
};
