import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { ask } from '../testing/ask.ts';
import { call } from '../testing/call.ts';
import { startTestApi, testDesktopCredential } from '../testing/test-api.ts';
import { openTestCluster } from '../testing/test-cluster.ts';
import { whenInUse } from '../testing/when-in-use.ts';
import { migrations } from './migrations.ts';

// Guarantee: a settings file that is replaced on a full disk stays the old one, complete, and leaves nothing next to it.
test('a disk that fills in the middle of a file', { tags: 'mount' }, async () => {
  using disk = smallDisk(1);
  if (disk === null) throw new Error('no disk');
  const path = join(disk.path, '.env');
  await writeFile(path, 'SECRET=old\n');
  await disk.fill();
  await expect(writeFileAtomically(path, `SECRET=${'new'.repeat(100_000)}\n`, 0o600)).rejects.toThrow(
    'ENOSPC',
  );
  expect(await readFile(path, 'utf8')).toBe('SECRET=old\n');
  expect((await readdir(disk.path)).toSorted()).toEqual(['.env', 'filler']);
});

const oneMore = {
  ...migrations,
  '9001-more': {
    up: async (db: Kysely<unknown>) =>
      void (await sql`alter table audit_logs add column extra text`.execute(db)),
  },
};

// Guarantee: on a full disk callers are told that it is full and what to do, by DISK_FULL, and health says so
// immediately; a migration waits with the same words; both continue by themselves when there is room, and nothing that
// was saved is lost.
test('a full disk under the database', { tags: 'mount', timeout: 180_000 }, async () => {
  using disk = smallDisk(300);
  if (disk === null) throw new Error('no disk');
  await using postgres = await openTestCluster(disk.path, await freePort());
  await postgres.start();
  const start = (all: typeof migrations = migrations) =>
    startTestApi({ databaseUrl: postgres.databaseUrl, home: disk.path, migrations: all });
  const create = (port: number, name: string) =>
    call(port, clustersHttp.create, {
      as: testDesktopCredential,
      body: { name, description: 'x'.repeat(500) },
    });
  const diskOf = async (port: number) =>
    ((await ask(port, '/api/health')).json as { components: { disk: object } }).components.disk;
  {
    await using api = await start();
    await whenInUse(api);
    expect((await create(api.port, 'before')).status).toBe(200);
    expect(await diskOf(api.port)).toMatchObject({ status: 'ok' });
    await disk.fill();
    expect(await diskOf(api.port)).toMatchObject({
      status: 'down',
      detail: expect.stringMatching(/0 MB left.*continues by itself/),
    });
    let refused = await create(api.port, 'first');
    for (let tries = 0; refused.status === 200 && tries < 300; tries += 1)
      refused = await create(api.port, `try ${tries}`);
    expect([refused.status, refused.json.code]).toEqual([507, 'DISK_FULL']);
    expect(JSON.stringify(refused.json)).not.toMatch(/backup/i);
    await disk.clear();
    await eventually(async () => expect((await create(api.port, 'after')).status).toBe(200), 30_000);
    await eventually(async () => expect(await diskOf(api.port)).toMatchObject({ status: 'ok' }));
  }
  await disk.fill();
  await using api = await start(oneMore);
  await eventually(() => expect(api.context.obstacle()).toMatch(/are free. Make room/), 30_000);
  // Each try begins with a different word.
  await eventually(async () =>
    expect((await ask(api.port, '/api/health')).json).toMatchObject({
      status: 'down',
      components: { database: { status: 'down', detail: expect.stringContaining('Make room') } },
    }),
  );
  expect(await readdir(join(disk.path, 'backups')).catch(() => [])).toEqual([]);
  await disk.clear();
  await eventually(() => expect(api.context.obstacle()).toBeNull(), 60_000);
});
