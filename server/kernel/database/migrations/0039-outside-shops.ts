import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When events of an external shop were refused, and Stripe's amounts as they were paid. */
const statements = [
  `alter table shops add column refused_at jsonb not null default '{}'`,
  // Their hundredths were read as whole units, since people write these currencies without a point. Digests stay: they
  // cover what was read first.
  `update shop_events as event
      set facts = jsonb_set(facts, '{amount,value}',
            to_jsonb(((facts #>> '{amount,value}')::numeric / 100)::numeric(20, 2)::text))
     from shops
    where shops.id = event.shop_id and shops.kind = 'stripe' and facts #>> '{amount,value}' ~ '^\\d+$'
      and facts #>> '{amount,currency}' not in ('BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF',
            'VND', 'VUV', 'XAF', 'XOF', 'XPF')`,
];

export const outsideShops: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
