import { type Kysely, sql } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import { createLicenseFinder } from '../licenses/find-license.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import type { LicenseStatus } from '../licenses/license-status.ts';
import type { LicenseView } from '../licenses/license-view.ts';
import type { LicenseQuery } from './license-query.ts';

export interface LicenseSearch {
  readonly query: LicenseQuery;
  readonly status?: LicenseStatus | undefined;
  /** Id of the last license on the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface FoundLicenses {
  /** Newest first. */
  readonly rows: readonly LicenseView[];
  /** What `after` is for the next page; null: this was the last one. */
  readonly next: string | null;
}

export type SearchLicenses = (wanted: LicenseSearch) => Promise<FoundLicenses>;

/** Each kind of query has an index of its own, and pages go on behind the last row: millions of licenses cost no more. */
export const createSearchLicenses = (db: Kysely<PortalTables>, vault: LicenseKeyVault): SearchLicenses => {
  const finder = createLicenseFinder(vault);
  return async ({ query, status, after, limit }) => {
    if (query.by === 'mistyped-key') return { rows: [], next: null };
    const sought = narrowed(db, vault, query);
    // The offset has Postgres find first and sort then. Of a table that was restored a moment ago it knows nothing yet, and
    // would go through all licenses in their order to find one.
    const found = query.by === 'nothing' ? sought : sought.offset(0);
    let wanted = db.selectFrom(found.as('licenses')).selectAll('licenses');
    if (status) wanted = wanted.where('licenses.status', '=', status);
    if (after)
      wanted = wanted.where(
        sql<boolean>`(licenses.created_at, licenses.id) < (select created_at, id from licenses where id = ${after})`,
      );
    const rows = await wanted
      .orderBy('licenses.created_at', 'desc')
      .orderBy('licenses.id', 'desc')
      .limit(limit + 1)
      .execute();
    const page = rows.slice(0, limit);
    return {
      rows: await finder.view(db, page),
      next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  };
};

type Sought = Exclude<LicenseQuery, { by: 'mistyped-key' }>;

const narrowed = (db: Kysely<PortalTables>, vault: LicenseKeyVault, query: Sought) => {
  const all = db.selectFrom('licenses').selectAll('licenses');
  switch (query.by) {
    case 'nothing':
      return all;
    case 'key':
      return all.where('key_hash', '=', vault.hash(query.value));
    case 'id':
      return all.where((is) => is.or([is('id', '=', query.value), is('tenant_id', '=', query.value)]));
    case 'hwid':
      return all.where(
        sql<boolean>`id = any (array(select license_id from machines where hwid = ${query.value}))`,
      );
    case 'order':
      return all.where('purchase_id', '=', query.value);
    case 'email':
      return all.where(
        sql<boolean>`(lower(buyer_email) = ${query.value}
          or tenant_id = (select id from tenants where lower(email) = ${query.value}))`,
      );
  }
};
