// @module-tag slow

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { flipByte } from '#runtime/backup/testing/flip-byte.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import {
  type BackedUpHome,
  backedUpHome,
  nextNight,
  statusOf,
  takeBackup,
  whenTaken,
} from './testing/backed-up-home.ts';

const componentsOf = async (port: number) => (await ask(port, '/api/health')).json.components;
const sqlIn = (home: BackedUpHome) => async (text: string) => {
  await using session = await sqlSession(home.postgres.databaseUrl);
  return await session.query(text);
};
const eventsIn = (home: BackedUpHome) => (kind: string) =>
  sqlIn(home)(`select severity, payload from event_logs where kind = '${kind}'`);
const takenMs = 120_000;

// Guarantee: a database that is found damaged is an alarm of its own, in health and among the events, once; no backup is deleted
// until one succeeds, which ends the alarm.
test('a damaged database', { timeout: 300_000, tags: 'night' }, async () => {
  await using home = await backedUpHome();
  const [sql, events] = [sqlIn(home), eventsIn(home)];
  const { folder } = home;
  let path = '';
  {
    await using api = await home.startApi();
    await whenInUse(api);
    await sql('create table notes (id int primary key, text text)');
    await sql(`insert into notes select n, repeat('note', 100) from generate_series(1, 500) n`);
    path = String((await sql(`select pg_relation_filepath('notes') as path`))[0]?.path);
    const model = (await takeBackup(api.port)).backups[0]?.name ?? '';
    await home.writeOutdated(model);
    await rm(join(folder, model), { recursive: true });
  }
  await home.postgres.cluster.stop();
  await flipByte(join(home.path, 'postgres', 'data', path), 3 * 8192 + 7000, 1);
  await home.postgres.start();

  await using api = await home.startApi(nextNight(11 * 60_000));
  await eventually(async () => {
    const { lastAttempt, runningSince } = await statusOf(api.port);
    expect(runningSince).toBeNull();
    expect(lastAttempt).toMatchObject({ outcome: 'failed', detail: expect.stringMatching(/damaged/) });
  }, takenMs);
  await takeBackup(api.port);
  expect((await readdir(folder)).toSorted()).toEqual(
    expect.arrayContaining(['last-attempt.json', 'newer', 'outdated']),
  );
  const alarm = { status: 'degraded', detail: expect.stringMatching(/files of the database are damaged/) };
  expect(await componentsOf(api.port)).toMatchObject({ integrity: alarm, backups: { status: 'degraded' } });
  await eventually(async () => expect(await events('backup.failed')).toHaveLength(2));
  expect(await events('database.damaged')).toMatchObject([{ severity: 'alert' }]);

  await sql('drop table notes');
  expect((await takeBackup(api.port)).lastAttempt).toMatchObject({ outcome: 'taken' });
  expect(await componentsOf(api.port)).toMatchObject({ integrity: { status: 'ok', detail: null } });
});

// Guarantee: each night the stored backups are compared with their checksums: a damaged one is told once, is marked in the list and
// takes no good one's place; one without checksums is listed as such.
test('a damaged backup', { timeout: 300_000, tags: 'night' }, async () => {
  await using home = await backedUpHome();
  const events = eventsIn(home);
  let damaged = '';
  {
    await using api = await home.startApi();
    await whenInUse(api);
    damaged = (await takeBackup(api.port)).backups[0]?.name ?? '';
    await home.writeOutdated(damaged);
  }
  await flipByte(join(home.folder, damaged, '.env'), 3, 1);
  await using api = await home.startApi(nextNight(25 * 3_600_000));
  await eventually(
    async () =>
      expect(await events('backup.damaged')).toMatchObject([{ payload: { name: damaged, file: '.env' } }]),
    takenMs,
  );
  const { backups } = await whenTaken(api.port);
  expect(backups).toMatchObject([
    { kind: 'nightly', hasChecksums: true, checkedAt: expect.any(String), fault: null },
    { name: damaged, fault: { code: 'changed', file: '.env' } },
    { name: 'newer', hasChecksums: false, checkedAt: null, fault: null },
  ]);
  expect(await componentsOf(api.port)).toMatchObject({
    backups: { status: 'degraded', detail: expect.stringContaining(`The backup ${damaged} is damaged`) },
  });
});
