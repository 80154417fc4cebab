import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { migrations } from '../../kernel/database/migrations.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { createChatTrusts } from './chat-trust.ts';

const newest = '0048-chat-trust';

// Guarantee: an update trusts the servers whose chat shop works on that day, marked for the owner to check, and no others;
// a change that only the database sees, as by the previous version, ends it.
test.each([true, false])('servers of an earlier version, with an open shop: %s', async (isOpen) => {
  await using database = await testDatabase();
  const { url } = database;
  await using opened = openDatabase<Tables>({ url, applicationName: 'test', log: silentLog });
  const { db, pool } = opened;
  const earlier = Object.entries(migrations).filter(([name]) => name < newest);
  await migrate({ db, migrations: Object.fromEntries(earlier), log: silentLog });
  await pool.query(`insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`);
  await pool.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, host, port, archived_at) values
     ('a', 'c', 'a', 'a', 'minecraft', '192.0.2.1', 1, null), ('b', 'c', 'b', 'b', 'minecraft', null, 1, null),
     ('d', 'c', 'd', 'd', 'minecraft', '192.0.2.1', 1, now()), ('e', 'c', 'e', 'e', 'palworld', '192.0.2.1', 1, null)`,
  );
  await pool.query(`insert into settings (section, version, values) values ('chat-shop', 1, $1)`, [
    { isOpen },
  ]);
  await migrate({ db, migrations, log: silentLog });
  const trusts = createChatTrusts({ db });
  const rows = async () =>
    (await trusts.list()).map(({ serverId, isTrusted, isUnreviewed }) => [serverId, isTrusted, isUnreviewed]);
  expect(await rows()).toEqual([
    ['a', isOpen, isOpen],
    ['b', false, false],
    ['e', false, false],
  ]);
  await pool.query(`update game_servers set password = 'other' where id = 'a'`);
  expect((await rows())[0]).toEqual(['a', isOpen, isOpen]);
  await pool.query(`update game_servers set port = 2 where id = 'a'`);
  await pool.query(`update game_servers set port = 1 where id = 'a'`);
  expect((await trusts.list())[0]).toMatchObject({
    isTrusted: false,
    isUnreviewed: false,
    endedBy: isOpen ? 'address' : null,
  });
});
