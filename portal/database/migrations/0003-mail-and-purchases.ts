import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table mail_outbox (
    id text primary key,
    message_id text not null unique,
    kind text not null,
    recipient text not null,
    subject text not null,
    body_sealed text,
    state text not null default 'due' check (state in ('due', 'sent', 'given_up')),
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    expires_at timestamptz,
    last_fault text,
    created_at timestamptz not null,
    settled_at timestamptz,
    check (body_sealed is not null or state <> 'due'),
    check ((settled_at is null) = (state = 'due'))
  )`,
  sql`create index mail_outbox_due on mail_outbox (next_attempt_at) where state = 'due'`,
  sql`create index mail_outbox_newest on mail_outbox (created_at, id)`,
  sql`create index mail_outbox_given_up on mail_outbox (created_at, id) where state = 'given_up'`,
  sql`create index mail_outbox_settled on mail_outbox (settled_at) where settled_at is not null`,

  // What a product at the gateway is sold as.
  sql`create table plans (
    id text primary key check (id ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    tier text not null,
    features jsonb not null check (jsonb_typeof(features) = 'array'),
    max_clusters integer check (max_clusters >= 0),
    duration_days integer check (duration_days > 0),
    updated_at timestamptz not null
  )`,

  // One row for whatever a gateway told us, once. What becomes of an order is computed from all rows of it, so
  // that the order in which they came in does not matter; therefore they are kept.
  sql`create table webhook_events (
    id text primary key check (id ~ '^c[0-9a-z]{24}$'),
    gateway text not null check (gateway in ('generic', 'stripe')),
    event_id text not null,
    type text not null,
    kind text not null,
    refs text[] not null,
    facts jsonb not null,
    payload_sha256 bytea not null,
    occurred_at timestamptz not null,
    received_at timestamptz not null,
    outcome text not null check (outcome in ('processed', 'waiting', 'unprocessed', 'ignored')),
    reason text,
    purchase_id text references purchases,
    unique (gateway, event_id)
  )`,
  sql`create index webhook_events_refs on webhook_events using gin (refs)`,
  sql`create index webhook_events_newest on webhook_events (received_at, id)`,
  sql`create index webhook_events_outcome on webhook_events (outcome, received_at, id)`,

  // The license that a gateway's order was fulfilled with: one, whatever comes in how often. The expiry that we
  // set last tells a date of ours from one that the vendor set by hand.
  sql`create table fulfilments (
    purchase_id text primary key references purchases,
    license_id text not null unique references licenses,
    applied_expires_at timestamptz,
    ended boolean not null default false
  )`,
];

export const mailAndPurchases = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(db);
  },
};
