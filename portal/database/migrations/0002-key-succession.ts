import { type Kysely, sql } from 'kysely';

const statements = [
  sql`alter table signing_keys
    add column activated_at timestamptz,
    add column retiring_since timestamptz,
    add column retired_at timestamptz`,
  sql`update signing_keys set activated_at = created_at where state = 'active'`,
  sql`create unique index signing_keys_next on signing_keys (state) where state = 'next'`,

  // One row for each time that keys were struck out; the document of the highest number is the one that counts.
  sql`create table key_strikes (
    number integer primary key,
    document text not null,
    made_at timestamptz not null
  )`,

  // Keys that outlive every master key, sealed under the master key of the day.
  sql`create table vault_keys (
    name text primary key,
    key_sealed text not null,
    created_at timestamptz not null
  )`,
];

export const keySuccession = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(db);
  },
};
