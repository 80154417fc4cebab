import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  'alter table sessions add column stepped_up_at timestamptz',

  `create table desktop_access (
     id text primary key,
     account text not null,
     secret_hash bytea not null,
     created_at timestamptz not null default now(),
     expires_at timestamptz not null,
     last_used_at timestamptz,
     -- Made by the previous version, which revokes by deleting the API key of the same id.
     was_api_key boolean not null default false
   )`,
  'create index desktop_access_account on desktop_access (account)',
  // Desktops of services used API keys of one form: created on the machine, for a year, everything, everywhere. These
  // stay in api_keys as well, so that the previous version still lets them in; this version reads them only here.
  `insert into desktop_access (id, account, secret_hash, created_at, expires_at, last_used_at, was_api_key)
   select id, substr(name, length('Desktop of ') + 1), secret_hash, created_at, expires_at, last_used_at, true
   from api_keys
   where creator_id is null and name like 'Desktop of %' and server_ids is null
     and permissions @> array['admins.write', 'secrets.write', 'api-keys.write', 'stack.write']
     and expires_at - created_at between interval '364 days' and interval '366 days'`,
];

export const stepUp: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
