import { type Kysely, sql } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import { likeText } from './search-licenses.ts';

/** A customer: the owner of licenses under one e-mail address. Times are ISO 8601 in UTC. */
export interface CustomerView {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string;
  readonly licenses: number;
}

export interface CustomerList {
  /** Newest first. */
  list(wanted: {
    /** Part of the address, ignoring case; absent: all. */
    readonly email?: string | undefined;
    /** Id of the last customer on the previous page. */
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<{ rows: readonly CustomerView[]; next: string | null }>;
  find(id: string): Promise<CustomerView | null>;
}

interface Row {
  id: string;
  email: string;
  created_at: Date;
  licenses: number;
}

const selected = sql`
  select id, email, created_at,
    (select count(*)::int from licenses where tenant_id = tenants.id) as licenses
  from tenants`;

export const createCustomerList = (db: Kysely<PortalTables>): CustomerList => ({
  async list({ email, after, limit }) {
    const { rows } = await sql<Row>`
      ${selected}
      where (${email ?? null}::text is null or lower(email) like ${`%${likeText((email ?? '').toLowerCase())}%`})
        and (${after ?? null}::text is null
          or (created_at, id) < (select created_at, id from tenants where id = ${after ?? null}::text))
      order by created_at desc, id desc
      limit ${limit + 1}`.execute(db);
    const page = rows.slice(0, limit);
    return { rows: page.map(view), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
  },

  async find(id) {
    const { rows } = await sql<Row>`${selected} where id = ${id}`.execute(db);
    return rows[0] ? view(rows[0]) : null;
  },
});

const view = (row: Row): CustomerView => ({
  id: row.id,
  email: row.email,
  createdAt: row.created_at.toISOString(),
  licenses: row.licenses,
});
