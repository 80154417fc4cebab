import { type Kysely, sql } from 'kysely';

const statements = [
  // One code a holder and purpose: asking again replaces it. tenant_id null: nobody has this address; nobody is told.
  sql`create table customer_codes (
    holder_hash bytea not null,
    purpose text not null check (purpose in ('sign-in', 'reveal-key')),
    email text not null,
    tenant_id text references tenants,
    license_id text references licenses,
    code_hash bytea not null,
    tries_left integer not null check (tries_left >= 0),
    expires_at timestamptz not null,
    primary key (holder_hash, purpose),
    check (purpose = 'sign-in' or (license_id is not null and tenant_id is not null))
  )`,
  sql`create index customer_codes_expiry on customer_codes (expires_at)`,
  sql`create index customer_codes_tenant on customer_codes (tenant_id)`,

  sql`create table customer_sessions (
    id text primary key,
    token_hash bytea not null unique,
    tenant_id text not null references tenants,
    kind text not null check (kind in ('browser', 'program')),
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    address text not null,
    user_agent text not null
  )`,
  sql`create index customer_sessions_tenant on customer_sessions (tenant_id)`,
  sql`create index customer_sessions_use on customer_sessions (last_used_at)`,

  // granted: whether the last statement found room; its RETURNING reads it. The subject is a hash: an address that
  // nobody here has is not worth keeping.
  sql`create table customer_attempts (
    scope text not null,
    subject bytea not null,
    made_at timestamptz[] not null,
    granted boolean not null,
    primary key (scope, subject)
  ) with (fillfactor = 70)`,

  sql`create table transfer_grants (
    id bigint generated always as identity primary key,
    license_id text not null references licenses,
    granted_by text not null,
    granted_at timestamptz not null,
    spent_by bigint unique references hwid_transfers
  )`,
  sql`create index transfer_grants_license on transfer_grants (license_id) where spent_by is null`,
];

export const customers = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(db);
  },
};
