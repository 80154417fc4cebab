import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { catalogue } from './0011-store/catalogue.ts';
import { deliveries } from './0011-store/deliveries.ts';
import { endings } from './0011-store/endings.ts';
import { ledger } from './0011-store/ledger.ts';
import { members } from './0011-store/members.ts';
import { orders } from './0011-store/orders.ts';

/** Later parts refer to earlier ones. */
export const store: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [...members, ...catalogue, ...orders, ...deliveries, ...ledger, ...endings])
      await sql.raw(statement).execute(db);
  },
};
