import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A device is known for as long as the password that it signed in with is valid. */
const statements = [
  `create table known_devices (
     admin_id text not null references admins on delete cascade,
     device_hash bytea not null,
     password_digest bytea not null,
     last_used_at timestamptz not null default now(),
     primary key (admin_id, device_hash)
   )`,
];

export const knownDevices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
