import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { deleteOldAgentTasks } from './task-retention.ts';

// Guarantee: tasks are deleted a month after their end and beyond a thousand per server, the oldest first; an open one
// is not deleted, but given up when its agent stays away.
test('retention', async () => {
  await using database = await migratedDatabase();
  const { db, pool } = database;
  await pool.query(`insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '')`);
  await pool.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     select id, 'c', id, id, 'minecraft', 1 from unnest(array['a', 'b']) as id`,
  );
  const insert = (id: string, server: string, count: number, ended: string | null, expires = 'now()') =>
    pool.query(
      `insert into agent_tasks (id, server_id, kind, request, state, result, created_by, created_by_name, expires_at, done_at)
       select $1 || n, $2, 'list-saves', '{"kind":"list-saves"}', case when $4::text is null then 'sent' else 'done' end,
         case when $4::text is null then null else '{"outcome":"done","detail":null,"value":null}'::jsonb end,
         'local:t', 't', ${expires}, now() - $4::interval
       from generate_series(1, $3::int) as n`,
      [id, server, count, ended],
    );
  await insert('old-', 'a', 3, '31 days');
  await insert('young-', 'a', 3, '29 days');
  await insert('many-', 'b', 1005, '1 day');
  await insert('open-', 'a', 1, null);
  await insert('lost-', 'a', 1, null, `now() - interval '31 days'`);
  expect(await deleteOldAgentTasks(db, new AbortController().signal)).toBe(3 + 5);
  const left = await db
    .selectFrom('agent_tasks')
    .select(['id', 'state', sql`result ->> 'outcome'`.as('outcome')])
    .execute();
  expect(left.filter(({ id }) => /^(old|many)-[1-5]?$/.test(id))).toEqual([]);
  expect(left.length).toBe(3 + 1000 + 2);
  expect(left.find(({ id }) => id === 'open-1')?.state).toBe('sent');
  expect(left.find(({ id }) => id === 'lost-1')?.outcome).toBe('unknown');
});
