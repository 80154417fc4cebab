import { type Kysely, sql } from 'kysely';

const statements = [
  // Of a vendor account, or `command line`; null where the kind of actor says it all.
  sql`alter table license_events add column actor_name text`,

  // What the vendor searches and pages by. None of them covers a column that the daily check writes.
  sql`create index licenses_newest on licenses (created_at, id)`,
  sql`create index licenses_status on licenses (status, created_at, id)`,
  sql`create index licenses_buyer on licenses (lower(buyer_email))`,
  sql`create index machines_hwid on machines (hwid)`,
  sql`create index tenants_newest on tenants (created_at, id)`,

  // Without a sealed secret of an authenticator nobody has signed in to the account yet, or it was reset; the password
  // is then the initial one, which runs out. last_step: of the last code that was taken; each is good once.
  sql`create table vendor_accounts (
    id text primary key check (id ~ '^c[0-9a-z]{24}$'),
    name text not null,
    password_hash text not null,
    initial_until timestamptz,
    totp_sealed text,
    totp_last_step bigint,
    disabled_at timestamptz,
    created_at timestamptz not null,
    last_signed_in_at timestamptz,
    check (totp_sealed is not null or initial_until is not null)
  )`,
  sql`create unique index vendor_accounts_name on vendor_accounts (lower(name))`,

  sql`create table vendor_recovery_codes (
    account_id text not null references vendor_accounts,
    code_hash bytea not null,
    primary key (account_id, code_hash)
  )`,

  // stage: what is still asked of whoever has shown the password. totp_sealed: the secret that is being enrolled.
  sql`create table vendor_sessions (
    id text primary key,
    token_hash bytea not null unique,
    account_id text not null references vendor_accounts,
    stage text not null check (stage in ('enrol', 'code', 'full')),
    totp_sealed text,
    tries_left integer not null check (tries_left >= 0),
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    address text not null,
    user_agent text not null,
    check ((totp_sealed is not null) = (stage = 'enrol'))
  )`,
  sql`create index vendor_sessions_account on vendor_sessions (account_id)`,

  // Browsers that have signed in before: others' failures do not keep them out.
  sql`create table vendor_devices (
    token_hash bytea primary key,
    account_id text not null references vendor_accounts,
    last_used_at timestamptz not null
  )`,
  sql`create index vendor_devices_account on vendor_devices (account_id)`,

  // Budgets of failed tries, which fill up again with time. The subject is a hash.
  sql`create table vendor_attempts (
    scope text not null,
    subject bytea not null,
    tokens double precision not null,
    counted_at timestamptz not null,
    primary key (scope, subject)
  )`,

  sql`create table vendor_events (
    id bigint generated always as identity primary key,
    kind text not null,
    actor_name text not null,
    subject text,
    data jsonb not null,
    at timestamptz not null
  )`,
  sql`create trigger vendor_events_append_only before update or delete or truncate on vendor_events
    for each statement execute function refuse_change()`,

  sql`create table check_counts (
    hour timestamptz not null,
    outcome text not null check (outcome in ('renewed', 'refused', 'limited')),
    checks bigint not null,
    primary key (hour, outcome)
  )`,

  // One row: to count all licenses takes a while, and an overview may be a minute old.
  sql`create table vendor_figures (
    only_row boolean primary key default true check (only_row),
    figures jsonb not null,
    taken_at timestamptz not null
  )`,
];

export const vendor = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(db);
  },
};
