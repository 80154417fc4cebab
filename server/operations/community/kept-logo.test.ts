import { Kysely, PostgresDialect } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { openNotifications } from '../../kernel/database/notifications.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../../kernel/testing/feature-api.ts';
import { keepLogo } from './kept-logo.ts';

let owned: AsyncDisposableStack;
let database: MigratedDatabase;
/** How often each part of the logo's table was queried. */
let asked: { digests: number; bytes: number };
let db: Kysely<Tables>;
beforeEach(async () => {
  owned = new AsyncDisposableStack();
  database = owned.use(await migratedDatabase());
  asked = { digests: 0, bytes: 0 };
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log({ query }) {
      asked[query.sql.includes('bytes') ? 'bytes' : 'digests'] += 1;
    },
  });
});
afterEach(() => owned.disposeAsync());

const sha256Of = (name: string) => name.padEnd(64, '0');
const insertLogo = async (name: string) => {
  await database.pool.query('delete from community_logo');
  await database.pool.query(
    `insert into community_logo (media_type, width, height, bytes, sha256) values ('image/png', 1, 1, $1, $2)`,
    [Buffer.from(name), sha256Of(name)],
  );
};

/** With one connection there is none to listen on. */
const withoutListening = () =>
  owned.use(openNotifications(new Secret(`${database.url.reveal()}?connection_limit=1`), silentLog));

// Guarantee: while no notifications arrive, all concurrent readers share one small query, and a picture is read once.
test('without notifications', async () => {
  const kept = keepLogo(db, withoutListening());
  expect([await kept.sha256(), await kept.read()]).toEqual([null, null]);
  await insertLogo('a');
  asked = { digests: 0, bytes: 0 };
  await Promise.all(Array.from({ length: 50 }, () => kept.sha256()));
  expect(asked).toEqual({ digests: 1, bytes: 0 });
  const read = await Promise.all(Array.from({ length: 50 }, () => kept.read()));
  expect(new Set(read.map((logo) => String(logo?.bytes)))).toEqual(new Set(['a']));
  await kept.read();
  expect(asked).toEqual({ digests: 3, bytes: 1 });
  await insertLogo('b');
  expect(await kept.sha256()).toBe(sha256Of('b'));
  expect(String((await kept.read())?.bytes)).toBe('b');
  expect(asked.bytes).toBe(2);
});

// Guarantee: while notifications arrive, the database is not queried.
test('with notifications', async () => {
  await insertLogo('a');
  const kept = keepLogo(db, owned.use(openNotifications(database.url, silentLog)));
  await eventually(async () => {
    asked = { digests: 0, bytes: 0 };
    await kept.read();
    expect(asked.digests).toBe(0);
  });
  expect(String((await kept.read())?.bytes)).toBe('a');
  expect(await kept.sha256()).toBe(sha256Of('a'));
  expect(asked).toEqual({ digests: 0, bytes: 0 });
});

// Guarantee: a read after a change sees it, no matter what was being read when it came.
test('a change while it is read', async () => {
  await insertLogo('a');
  const kept = keepLogo(db, withoutListening());
  const before = kept.read();
  await insertLogo('b');
  kept.forget();
  expect(String((await kept.read())?.bytes)).toBe('b');
  await before;
  expect(String((await kept.read())?.bytes)).toBe('b');
});
