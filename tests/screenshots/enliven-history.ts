import pg from 'pg';
import type { Panel } from '#harness/panel.ts';

/** Two weeks of visits for everyone seen so far, more in the evening than in the morning, all before the current visit. */
const visits = `
  insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
  select present.player_id, present.server_id, '', began, ended, ended
  from (select distinct on (player_id, server_id) player_id, server_id, joined_at
          from player_sessions order by player_id, server_id, joined_at) as present
  cross join generate_series(1, 14) as day
  cross join lateral (
    select date_trunc('day', now()) - day * interval '1 day' + interval '15 hours'
           + (present.player_id * 37 + day * 53) % 330 * interval '1 minute' as began) as begins
  cross join lateral (
    select began + (40 + (present.player_id * 17 + day * 29) % 160) * interval '1 minute' as ended) as ends
  where (present.player_id * 7 + day * 11) % 10 < 7 and ended < present.joined_at`;

const firstSeen = `
  update players as player set first_seen_at = least(first_seen_at, (
    select min(joined_at) from player_sessions where player_id = player.id))
  where exists (select from player_sessions where player_id = player.id)`;

/** The last day of the overview's figures, one per minute. */
const figures = `
  insert into figures (at, players, database_ms, queue_depth, events)
  select at, greatest(0, round(5 + 4 * sin(hour * 0.26 - 3.6) + minute % 3 - 1)), 1.2 + minute % 7 * 0.15,
         case when minute % 90 < 4 then 3 else 0 end, minute % 5
  from generate_series(date_trunc('minute', now()) - interval '24 hours', date_trunc('minute', now()) - interval '5 minutes',
                       interval '1 minute') as at
  cross join lateral (select extract(hour from at) as hour, extract(minute from at)::int as minute) as clock
  on conflict do nothing`;

/** Writes a history directly into the API's tables, since no test can wait for a real one. */
export const enlivenHistory = async ({ info }: Panel): Promise<void> => {
  const client = new pg.Client({ connectionString: info.databaseUrl });
  await client.connect();
  try {
    await client.query(visits);
    await client.query(firstSeen);
    await client.query(figures);
  } finally {
    await client.end();
  }
};
