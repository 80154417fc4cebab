import { type Kysely, sql } from 'kysely';

const statements = [
  // What the vendor wrote to the customer when they suspended or revoked the license; null while it is active.
  sql`alter table licenses add column status_reason text check (char_length(status_reason) <= 300)`,

  // key_tail: the last four characters of the key, which pages show anyway; null until the portal has filled it in.
  sql`alter table licenses
    add column buyer_name text check (char_length(buyer_name) <= 120),
    add column key_tail text check (char_length(key_tail) = 4)`,
  sql`create index licenses_without_tail on licenses (id) where key_tail is null`,

  // A part of any of these is searched for, the newest first, by the index that lists them: a hundred thousand are gone
  // through in a fifth of a second, and one search goes through no more than a few of them.
  sql`alter table licenses add column search_text text not null generated always as (
    lower(buyer_email || ' ' || coalesce(buyer_name, '') || ' ' || purchase_id || ' ' || coalesce(key_tail, ''))
  ) stored`,

  // Money that moved, as gateways told of it. minor: a whole number of the currency's smallest unit; null: all that was
  // paid of the source. is_total: what has gone back of the source so far, rather than what went back then.
  sql`create table payments (
    gateway text not null,
    direction text not null check (direction in ('paid', 'returned')),
    reference text not null,
    source text not null,
    event_id text not null references webhook_events,
    minor bigint check (minor >= 0),
    currency text check (currency ~ '^[A-Z]{3}$'),
    is_total boolean not null,
    at timestamptz not null,
    primary key (gateway, direction, reference),
    check ((minor is null) = (currency is null)),
    check (minor is not null or direction = 'returned')
  )`,
  sql`create index payments_at on payments (at)`,
  sql`create index payments_source on payments (gateway, source)`,
  sql`create index payments_event on payments (event_id)`,
  sql`create index webhook_events_dismissed on webhook_events (id) where kind = 'purchase' and outcome = 'ignored'`,

  // Which licenses ended, will end, and were lost.
  sql`create index licenses_expiry on licenses (expires_at) where status <> 'revoked'`,
  sql`create index license_events_changes on license_events (license_id, id)
    where kind in ('suspended', 'resumed', 'revoked', 'extended', 'subscription_ended')`,

  // In which days and dates count on the vendor's pages; null: UTC.
  sql`alter table vendor_accounts add column time_zone text`,
];

export const searchAndSales = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(db);
  },
};
