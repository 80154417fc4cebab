import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table customer_devices (
    token_hash bytea primary key,
    tenant_id text not null references tenants,
    last_used_at timestamptz not null
  )`,
  sql`create index customer_devices_tenant on customer_devices (tenant_id, last_used_at)`,

  // A crash of Postgres empties it, which costs one minute of counting, and no request writes it to the log.
  sql`alter table rate_counters set unlogged`,
];

export const devicesAndCounters = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(db);
  },
};
