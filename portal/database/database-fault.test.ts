import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { openDatabase, ping } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { isDatabaseUnavailable } from './database-fault.ts';

const faultOf = async (url: URL): Promise<unknown> => {
  const log = createLog({ component: 'test', level: 'silent' });
  await using database = openDatabase({ url: new Secret(url.href), applicationName: 'test', log });
  return await ping(database.db).then(
    () => null,
    (error: unknown) => error,
  );
};

// Guarantee: a database that has no free connection for us, or temporarily cannot be found, counts as unavailable, not
// as a fault of the portal.
test('no connection is to be had', async () => {
  await using own = await testDatabase();
  const role = `crowded_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: own.url.reveal() });
  await client.connect();
  await client.query(`create role ${role} login password '${role}' connection limit 0`);
  try {
    const crowded = new URL(own.url.reveal());
    crowded.username = role;
    crowded.password = role;
    const fault = await faultOf(crowded);
    expect(fault).toMatchObject({ code: '53300' });
    expect(isDatabaseUnavailable(fault)).toBe(true);
    const unknown = new URL(own.url.reveal());
    unknown.hostname = 'database.invalid';
    expect(isDatabaseUnavailable(await faultOf(unknown))).toBe(true);
    crowded.password = 'another';
    expect(isDatabaseUnavailable(await faultOf(crowded))).toBe(false);
  } finally {
    await client.query(`drop role ${role}`);
    await client.end();
  }
});
