import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import { createLicenseFinder } from '../licenses/find-license.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import type { LicenseStatus } from '../licenses/license-status.ts';
import type { LicenseView } from '../licenses/license-view.ts';
import type { LicenseQuery } from './license-query.ts';

export interface LicenseSearch {
  readonly query: LicenseQuery;
  readonly status?: LicenseStatus | undefined;
  /** Id of the last license on the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface FoundLicenses {
  /** Newest first. */
  readonly rows: readonly LicenseView[];
  /** The value of `after` for the next page; null: this was the last page. */
  readonly next: string | null;
}

export type SearchLicenses = (wanted: LicenseSearch) => Promise<FoundLicenses>;

/** How many licenses one search for parts reads, newest first; the next page continues where it ended. */
const maxLookedAt = 250_000;

/**
 * Whole keys, ids and HWIDs each have an index. Parts are searched for in one license after another, newest first, and
 * in at most `lookedAt` of them per page. Pages continue after the last row: millions of licenses cost no more.
 */
export const createSearchLicenses = (
  db: Kysely<PortalTables>,
  vault: LicenseKeyVault,
  lookedAt = maxLookedAt,
): SearchLicenses => {
  const finder = createLicenseFinder(vault);

  const view = async (ids: readonly string[]): Promise<readonly LicenseView[]> => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('licenses')
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return finder.view(db, rows);
  };

  return async ({ query, status, after, limit }) => {
    if (query.by === 'mistyped-key') return { rows: [], next: null };
    const hasStatus = status ? sql`status = ${status}` : sql`true`;
    const isBehind = behind(after);
    const statement =
      query.by === 'parts'
        ? partsStatement({ parts: query.parts, hasStatus, isBehind, lookedAt, limit: limit + 1 })
        : sql<Found>`
            select id from (select id, created_at, status from licenses where ${narrowed(vault, query)}) as licenses
            where ${hasStatus} and ${isBehind}
            order by created_at desc, id desc limit ${limit + 1}`;
    const { rows } = await statement.execute(db);
    const page = rows.slice(0, limit).map(({ id }) => id);
    const isFull = rows.length > limit;
    const next = isFull ? page.at(-1) : query.by === 'parts' && (await lastLookedAt(db, isBehind, lookedAt));
    return { rows: await view(page), next: next || null };
  };
};

interface Found {
  readonly id: string;
}

const behind = (after: string | undefined) =>
  after ? sql`(created_at, id) < (select created_at, id from licenses where id = ${after})` : sql`true`;

/** Where a search ended that has read as many licenses as allowed; undefined if it has read them all. */
const lastLookedAt = async (
  db: Kysely<PortalTables>,
  isBehind: RawBuilder<unknown>,
  lookedAt: number,
): Promise<string | undefined> => {
  const { rows } = await sql<Found>`
    select id from licenses where ${isBehind}
    order by created_at desc, id desc offset ${lookedAt - 1} limit 1`.execute(db);
  return rows[0]?.id;
};

/** All parts in any order; or the whole address of the customer, if the license was bought under another one. */
export const partsStatement = ({
  parts,
  hasStatus,
  isBehind,
  lookedAt,
  limit,
}: {
  readonly parts: readonly string[];
  readonly hasStatus: RawBuilder<unknown>;
  readonly isBehind: RawBuilder<unknown>;
  readonly lookedAt: number;
  readonly limit: number;
}) => sql<Found>`
  select id from (
    select id, created_at, status, search_text, tenant_id from licenses
    where ${isBehind}
    order by created_at desc, id desc limit ${lookedAt}
  ) as looked_at
  where ${hasStatus} and (
    search_text like all (${parts.map((part) => `%${likeText(part)}%`)}::text[])
    or tenant_id = (select id from tenants where lower(email) = ${parts.join(' ')})
  )
  order by created_at desc, id desc limit ${limit}`;

/** Escapes the characters with a meaning in LIKE patterns. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

type Sought = Exclude<LicenseQuery, { by: 'mistyped-key' } | { by: 'parts' }>;

const narrowed = (vault: LicenseKeyVault, query: Sought) => {
  switch (query.by) {
    case 'nothing':
      return sql`true`;
    case 'key':
      return sql`key_hash = ${vault.hash(query.value)}`;
    // The offset makes Postgres filter first and sort afterwards. It has no statistics of a table that was just
    // restored, and would read all licenses in order to find one.
    case 'id':
      return sql`(id = ${query.value} or tenant_id = ${query.value}) offset 0`;
    case 'hwid':
      return sql`id = any (array(select license_id from machines where hwid = ${query.value})) offset 0`;
  }
};
