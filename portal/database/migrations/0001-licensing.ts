import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table tenants (
    id text primary key check (id ~ '^c[0-9a-z]{24}$'),
    email text not null,
    created_at timestamptz not null
  )`,
  sql`create unique index tenants_email on tenants (lower(email))`,

  sql`create table purchases (
    id text primary key,
    tenant_id text not null references tenants,
    buyer_email text not null,
    state text not null check (state in ('paid', 'refunded')),
    purchased_at timestamptz not null,
    refunded_at timestamptz
  )`,
  sql`create index purchases_tenant on purchases (tenant_id)`,

  sql`create table licenses (
    id text primary key check (id ~ '^c[0-9a-z]{24}$'),
    tenant_id text not null references tenants,
    key_sealed text not null,
    key_hash bytea not null unique,
    tier text not null,
    features jsonb not null check (jsonb_typeof(features) = 'array'),
    max_clusters integer check (max_clusters >= 0),
    expires_at timestamptz,
    status text not null check (status in ('active', 'suspended', 'revoked')),
    buyer_email text not null,
    purchase_id text not null references purchases,
    created_at timestamptz not null
  )`,
  sql`create index licenses_tenant on licenses (tenant_id)`,
  sql`create index licenses_purchase on licenses (purchase_id)`,

  // Room in each page lets the daily last_validated_at be written in place, without touching an index.
  sql`create table machines (
    license_id text primary key references licenses,
    hwid text not null,
    instance_id uuid not null,
    version text not null,
    bound_at timestamptz not null,
    last_validated_at timestamptz
  ) with (fillfactor = 80)`,

  sql`create table hwid_transfers (
    id bigint generated always as identity primary key,
    license_id text not null references licenses,
    from_hwid text,
    to_hwid text not null,
    state text not null check (state in ('pending', 'completed', 'cancelled')),
    granted_by_vendor boolean not null default false,
    requested_at timestamptz not null,
    settled_at timestamptz
  )`,
  sql`create unique index hwid_transfers_pending on hwid_transfers (license_id) where state = 'pending'`,
  sql`create index hwid_transfers_license on hwid_transfers (license_id, requested_at)`,

  // The private key is destroyed on retirement. The endorsement is the predecessor's signature over kid, key,
  // issuer and sequence; the first key has none.
  sql`create table signing_keys (
    kid text primary key,
    sequence integer not null unique,
    public_key text not null,
    private_key_sealed text,
    state text not null check (state in ('next', 'active', 'retiring', 'retired')),
    endorsement text,
    created_at timestamptz not null,
    struck_at timestamptz,
    check (private_key_sealed is not null or state = 'retired')
  )`,
  sql`create unique index signing_keys_active on signing_keys (state) where state = 'active'`,

  sql`create table license_events (
    id bigint generated always as identity primary key,
    license_id text not null references licenses,
    kind text not null,
    actor text not null,
    data jsonb not null,
    at timestamptz not null
  )`,
  sql`create index license_events_license on license_events (license_id, id)`,
  sql`create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end
  $$`,
  sql`create trigger license_events_append_only before update or delete or truncate on license_events
    for each statement execute function refuse_change()`,

  // granted: how many requests the last statement let pass; its RETURNING reads it.
  sql`create table rate_counters (
    scope text not null,
    address text not null,
    accepted_at timestamptz[] not null,
    granted integer not null,
    primary key (scope, address)
  ) with (fillfactor = 70)`,
];

export const licensing = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(db);
  },
};
