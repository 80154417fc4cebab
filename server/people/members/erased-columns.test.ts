import { Kysely, PostgresDialect } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from '../../kernel/database/tables.ts';
import { migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { eraseMember } from './erase-member.ts';

/** What an erasure leaves, and why it identifies no one. Anything else about a player, a member or a Discord account goes with it. */
const left: Readonly<Record<string, string>> = {
  'ban_news.player_id': 'the number alone, until the ban is looked at again',
  'discord_admins.discord_id': 'staff',
  'discord_admins.discord_name': 'staff',
  'discord_bought_roles.discord_id':
    'the role stays with the account on the Discord server, and is taken from it at its end',
  'discord_role_changes.discord_id': 'deleted as soon as the bot has made the change',
  'member_merges.member_ids': 'numbers alone',
  'member_merges.player_ids': 'numbers alone',
  'shop_orders.seen_game': 'of orders whose receiver no player is',
  'shop_orders.seen_ids': 'of orders whose receiver no player is',
  'shop_orders.seen_name': 'of orders whose receiver no player is',
};

// Guarantee: nothing that identifies a person outlasts the erasure. A new column about people is cleared by `eraseMember`, goes with
// the row of the player, is the member's number, or stands in `left` with a reason.
test('every column about people', async () => {
  await using database = await migratedDatabase();
  const statements: string[] = [];
  const watched = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void statements.push(query.sql.replaceAll('"', '')),
  });
  const { rows: members } = await database.pool.query<{ id: string }>(
    'insert into members default values returning id',
  );
  await watched.transaction().execute((trx) => eraseMember(trx, members[0]?.id ?? '', 1));

  const { rows: columns } = await database.pool.query<{ name: string }>(
    `select class.relname || '.' || attname as name
     from pg_attribute join pg_class as class on class.oid = attrelid
     where class.relkind = 'r' and class.relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
       and attname ~ '^(.*_)?(player|member|discord|platform|receiver)_(ids?|name|name_key)$|^seen_(ids|name|game)$|^(from|to)_member$|^handle$'
       and not exists (
         select from pg_constraint where conrelid = attrelid and contype = 'f'
           and (conkey = array[attnum] and confrelid in ('players'::regclass, 'members'::regclass)
             or confdeltype = 'c' and confrelid = 'players'::regclass))
     order by name`,
  );
  const isErased = (name: string) => {
    const [table, column] = name.split('.');
    const erasing = new RegExp(
      `delete from ${table}\\b|update ${table}( as \\w+)?\\s+set (?:(?!\\bwhere\\b)[^;])*?\\b${column} = (?:null|''|\\$)`,
    );
    return statements.some((sql) => erasing.test(sql));
  };
  const kept = columns.map(({ name }) => name).filter((name) => !isErased(name));
  expect(kept).toEqual(Object.keys(left).sort());
});
