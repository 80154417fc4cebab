import { Kysely, PostgresDialect } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from '../../kernel/database/tables.ts';
import { migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { replacePlayer } from './replace-player.ts';

/** What is left with the row that goes, and why nothing is lost by it. Any other reference to a player has to be moved. */
const left: Readonly<Record<string, string>> = {
  'ban_news.player_id': 'triggers write it again for the row that stays',
  'chat_confirmations.player_id': 'a question in the chat, asked again within minutes',
  'chat_confirmed_players.player_id': 'a proof of identity, which the row that stays gives for itself',
  'delivery_attempts.player_id': 'history: whom that attempt was sent to',
  'player_names.player_id': 'the row that stays has been seen under that name',
  'player_sessions.player_id': 'the caller has moved the only one',
};

// Guarantee: nothing that refers to a player stays behind when an identified one replaces it. A new column that refers to players
// is moved by `replacePlayer`, or stands in `left` with a reason.
test('every reference to a player', async () => {
  await using database = await migratedDatabase();
  const statements: string[] = [];
  const watched = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void statements.push(query.sql),
  });
  const { rows: players } = await database.pool.query<{ id: string }>(
    `insert into players (identity, game, name, name_key)
     values ('name:minecraft:zed', 'minecraft', 'Zed', 'zed'), ('minecraft:zed', 'minecraft', 'Zed', 'zed') returning id`,
  );
  const [replaced, by] = players.map(({ id }) => id);
  if (replaced === undefined || by === undefined) throw new Error('no players');
  await watched.transaction().execute((trx) => replacePlayer(trx, { replacedId: replaced, byId: by }));

  const { rows: columns } = await database.pool.query<{ name: string }>(
    `select class.relname || '.' || attname as name
     from pg_attribute join pg_class as class on class.oid = attrelid
     where class.relkind = 'r' and class.relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
       and (attname ~ '(^|_)player_id$' or exists (
         select from pg_constraint where confrelid = 'players'::regclass and conrelid = attrelid and attnum = any (conkey)))
     order by name`,
  );
  const isMoved = (name: string) => {
    const [table, column] = name.split('.');
    return statements.some((sql) => new RegExp(`update ${table}( as moved)? set ${column} = `).test(sql));
  };
  const kept = columns.map(({ name }) => name).filter((name) => !isMoved(name));
  expect(kept).toEqual(Object.keys(left).sort());
});
