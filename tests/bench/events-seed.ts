import type pg from 'pg';
import { eventKindNames } from '#contracts/kernel/event-kinds.ts';

export const servers = Array.from({ length: 20 }, (_, index) => `server-${index + 1}`);
/** No event has this kind: a search for it must not scan all the others. */
export const absentKind = 'agent.pinned';
export const presentKinds = eventKindNames.filter((kind) => kind !== absentKind);

const indexesOf = async (client: pg.ClientBase): Promise<readonly { name: string; definition: string }[]> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'event_logs'::regclass and not indisprimary`,
  );
  return rows;
};

export interface EventsSeed {
  /** Spread evenly over the retention. */
  readonly kept: number;
  /** Spread over the days before. */
  readonly expired: number;
  readonly retentionDays: number;
}

/** Fills the event log: most events belong to a server, one in fifty is a warning, one in a thousand an alert. */
export const seedEvents = async (client: pg.ClientBase, seed: EventsSeed): Promise<void> => {
  const { kept, expired, retentionDays } = seed;
  // Indexes are created afterwards, which takes a third of the time.
  const indexes = await indexesOf(client);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const fill = (count: number, fromDaysAgo: number, toDaysAgo: number) =>
    client.query(
      `insert into event_logs (at, kind, severity, server_id, payload)
       select now() - make_interval(secs => 86400 * ($2::float8 + ($3::float8 - $2) * i / $1)),
              ($4::text[])[1 + floor(random() * cardinality($4::text[]))],
              case when i % 1000 = 0 then 'alert' when i % 50 = 0 then 'warning'
                   when i % 10 = 0 then 'notice' else 'info' end,
              case when i % 5 > 0 then ($5::text[])[1 + floor(random() * cardinality($5::text[]))] end,
              jsonb_build_object('name', 'somebody', 'address', '198.51.100.7', 'n', i)
       from generate_series(1::bigint, $1::bigint) i`,
      [count, fromDaysAgo, toDaysAgo, presentKinds, servers],
    );
  await fill(expired, retentionDays * 1.2, retentionDays + 0.01);
  await fill(kept, retentionDays - 0.5, 0);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('vacuum (analyze) event_logs');
  // The rows are on disk before anything is measured.
  await client.query('checkpoint');
};
