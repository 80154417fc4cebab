import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { openNotifications } from '../../kernel/database/notifications.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  silentLog,
  testOwner,
} from '../../kernel/testing/feature-api.ts';
import { insertServers } from '../console/testing/servers-in-use.ts';
import { createClusters } from './clusters.ts';
import { createGameServers } from './game-servers.ts';
import { createServerDirectory } from './server-directory.ts';
import { testSecrets } from './testing/test-secrets.ts';

let database: MigratedDatabase;
beforeEach(async () => {
  database = await migratedDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const by = { actor: testOwner, address: '::1' };
const idOf = (made: object): string => ('id' in made ? String(made.id) : JSON.stringify(made));

// Guarantee: what another process committed is seen here: new, changed and archived servers alike.
test('changes from elsewhere', async () => {
  await using notifications = openNotifications(database.url, silentLog);
  await using directory = createServerDirectory({ db: database.db, notifications, log: silentLog });
  await directory.prepare();
  let changes = 0;
  const gone: string[] = [];
  directory.subscribe((left) => {
    changes += 1;
    gone.push(...left);
  });
  const clusters = createClusters({ db: database.db, maxClusters: () => null });
  const servers = createGameServers({ db: database.db, secrets: testSecrets() });
  const clusterId = idOf(await clusters.create({ name: 'c', description: '' }, by));
  const id = idOf(await servers.create({ clusterId, name: 'one', game: 'minecraft', host: null }, by));
  await eventually(() => expect(directory.get(id)).toMatchObject({ name: 'one', host: null }));
  await servers.change(id, { version: 1, name: 'uno', password: 'secret' }, by);
  await eventually(() => expect(directory.get(id)).toMatchObject({ name: 'uno', version: 2 }));
  expect(JSON.stringify(directory.all())).not.toContain('secret');
  await servers.archive(id, by);
  await eventually(() => expect(directory.get(id)).toBeNull());
  expect(changes).toBeGreaterThanOrEqual(3);
  expect(gone).toEqual([id]);
});

// Guarantee: a change without a notification is seen at the next reading, and a refresh sees everything committed before it.
test('without notifications', async () => {
  await using notifications = openNotifications(database.url, silentLog);
  const options = { db: database.db, notifications, log: silentLog };
  await using slow = createServerDirectory({ ...options, rereadMs: 1_000_000 });
  await using quick = createServerDirectory({ ...options, rereadMs: 50 });
  await slow.prepare();
  await quick.prepare();
  await database.db
    .insertInto('clusters')
    .values({ id: 'c', name: 'c', name_key: 'c', description: '' })
    .execute();
  await database.db
    .insertInto('game_servers')
    .values({
      id: 's',
      cluster_id: 'c',
      name: 's',
      name_key: 's',
      game: 'minecraft',
      host: null,
      port: 1,
      password: null,
    })
    .execute();
  const refreshed = Promise.all([slow.refresh(), slow.refresh(), slow.refresh()]);
  await refreshed;
  expect(slow.get('s')).not.toBeNull();
  await eventually(() => expect(quick.get('s')).not.toBeNull());
});

// Guarantee: a server of a game that only a later version supports is left alone, and does not keep the others from working.
test('a game of a later version', async () => {
  await insertServers(database.db, ['known', 'later']);
  await database.pool.query("update game_servers set game = 'of-a-later-version' where id = 'later'");
  await using notifications = openNotifications(database.url, silentLog);
  await using directory = createServerDirectory({ db: database.db, notifications, log: silentLog });
  await directory.prepare();
  expect(directory.all().map(({ id }) => id)).toEqual(['known']);
});

// Guarantee: a password sealed again under another key, which does not change the version, is seen at the next reading.
test('a password sealed again', async () => {
  await insertServers(database.db, ['s']);
  await using notifications = openNotifications(database.url, silentLog);
  const options = { db: database.db, notifications, log: silentLog, rereadMs: 50 };
  await using directory = createServerDirectory(options);
  await directory.prepare();
  for (const password of ['old:sealed', 'new:sealed']) {
    await database.pool.query('update game_servers set password = $1', [password]);
    await eventually(() => expect(directory.get('s')?.password).toBe(password));
  }
});
