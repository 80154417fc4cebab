// @module-tag slow

import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { backupsHttp } from '#contracts/operations/backups.ts';
import type { StackHealth } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { deadDrive } from '#harness/dead-drive.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readLastAttempt } from '#runtime/backup/keep-backups.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call, newApiKey, person } from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { startTestApi, testBotSecret } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { backupsHealthOf } from './backups-health.ts';
import {
  type BackedUpHome,
  backedUpHome,
  nextNight,
  owner,
  statusOf,
  takeBackup,
  whenTaken,
} from './testing/backed-up-home.ts';

let home: BackedUpHome;

beforeAll(async () => {
  home = await backedUpHome();
});
afterAll(() => home[Symbol.asyncDispose]());

const takenMs = 60_000;

// Guarantee: a leaked key cannot fill the disk with backups: people start them, and programs with the permission read them.
test('backups by API key', async () => {
  await using api = await home.startApi();
  await whenInUse(api);
  const { token } = await person(api.port, { role: 'owner' });
  const permissions: Permission[] = ['backups.read', 'backups.write'];
  const { key } = await newApiKey(api.port, token, { name: 'script', permissions, expiresInDays: 1 });
  const refused = await call(api.port, backupsHttp.take, { as: key });
  expect([refused.status, refused.json.code], refused.text).toEqual([403, 'PERSON_REQUIRED']);
  expect((await call(api.port, backupsHttp.status, { as: key })).json).toMatchObject({ runningSince: null });
});

// Guarantee: a caller with the permission takes a backup from the panel, by the API's own unprivileged role; it is
// listed with its size, is in the audit log and among the events, and health shows its age. Other callers are refused.
test('a backup on request', async () => {
  await using api = await home.startApi();
  await whenInUse(api);
  expect(await statusOf(api.port)).toMatchObject({ backups: [], lastAttempt: null, obstacle: null });
  expect((await call(api.port, backupsHttp.take, { as: testBotSecret })).status).toBe(403);
  expect((await call(api.port, backupsHttp.status)).status).toBe(401);

  const begun = await call(api.port, backupsHttp.take, owner);
  expect(begun.json).toMatchObject({ runningSince: expect.any(String) });
  // Requested again, it is one backup.
  await call(api.port, backupsHttp.take, owner);
  const status = await whenTaken(api.port);
  expect(status.lastAttempt).toMatchObject({ outcome: 'taken', bytes: expect.any(Number) });
  expect(status.backups).toMatchObject([
    {
      kind: 'manual',
      bytes: expect.any(Number),
      reason: expect.stringMatching(/^asked for by ./),
      cause: { kind: 'asked', by: { kind: 'desktop' } },
    },
  ]);
  expect(await readdir(join(home.path, 'backups', status.backups[0]?.name ?? ''))).toEqual(
    expect.arrayContaining(['.env', 'database']),
  );

  await using session = await sqlSession(home.postgres.databaseUrl);
  expect(await session.query(`select actor from audit_logs where action = 'backups.take'`)).toHaveLength(1);
  await eventually(async () =>
    expect(await session.query(`select kind from event_logs where kind like 'backup.%'`)).toEqual([
      { kind: 'backup.taken' },
    ]),
  );
  const { components } = (await ask(api.port, '/api/health')).json as StackHealth;
  // No bot runs here.
  expect(
    Object.keys(components).filter(
      (name) => name !== 'bot' && components[name as keyof typeof components].status !== 'ok',
    ),
  ).toEqual([]);
  expect(components).toMatchObject({
    disk: { status: 'ok', detail: null },
    backups: { status: 'ok', detail: 'The newest backup is less than an hour old.' },
  });
});

// Guarantee: a machine that was off at night catches up on its backup by itself, without anyone asking.
test('a night that was missed', async () => {
  await rm(join(home.path, 'backups'), { recursive: true });
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const api = await home.startApi(now);
  await whenInUse(api);
  await api[Symbol.asyncDispose]();
  expect(await readdir(join(home.path, 'backups')).catch(() => [])).toEqual([]);

  // The process checks when it begins: at that point it was started ten minutes ago.
  const begin = Date.now();
  let reads = 0;
  const jumping = () => {
    reads += 1;
    aheadMs = reads > 1 ? 11 * 60_000 : 0;
    return begin + aheadMs;
  };
  await using again = await home.startApi(jumping);
  await eventually(
    async () => expect((await statusOf(again.port)).backups).toMatchObject([{ kind: 'nightly' }]),
    takenMs,
  );
});

// Guarantee: a failed backup is reported with its reason, in health, among the events and in the list, and leaves no partial file; a
// database that was found damaged is an alarm of its own.
test('a backup that fails', async () => {
  await using api = await home.startApi();
  await whenInUse(api);
  const record = join(home.path, 'backups', 'last-attempt.json');
  const damage = { since: '2026-01-02T03:04:05.000Z', detail: 'The files of the database are damaged.' };
  const password = join(home.path, 'postgres', 'superuser.password');
  const kept = await readFile(password);
  await rm(password);
  try {
    await call(api.port, backupsHttp.take, owner);
    await eventually(async () => {
      const { lastAttempt, runningSince } = await statusOf(api.port);
      expect(runningSince).toBeNull();
      expect(lastAttempt).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('ENOENT') });
    }, takenMs);
    // As a backup on the command line leaves it; the failures that follow keep it.
    await writeFile(record, JSON.stringify({ ...(await readLastAttempt(home.path)), damage }));
    for (const _ of ['told', 'told once']) await takeBackup(api.port);
  } finally {
    await writeFile(password, kept, { mode: 0o600 });
  }
  const names = await readdir(join(home.path, 'backups'));
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  expect((await ask(api.port, '/api/health')).json).toMatchObject({
    components: {
      backups: { status: 'degraded', detail: expect.stringContaining('The last backup failed') },
      integrity: { status: 'degraded', detail: damage.detail },
    },
  });
  await using session = await sqlSession(home.postgres.databaseUrl);
  await eventually(async () =>
    expect(await session.query(`select severity from event_logs where kind = 'backup.failed'`)).toEqual(
      Array(3).fill({ severity: 'alert' }),
    ),
  );
  expect(
    await session.query(
      `select severity, payload->>'detail' as detail from event_logs where kind = 'database.damaged'`,
    ),
  ).toEqual([{ severity: 'alert', detail: damage.detail }]);
  await rm(record);
});

// Guarantee: a double click takes one backup, and a backup that another process is taking at that time does not count as a failure of ours.
test('two at the same moment', { tags: 'night' }, async () => {
  await using session = await sqlSession(home.postgres.databaseUrl);
  const failures = () => session.query(`select id from event_logs where kind = 'backup.failed'`);
  const before = await failures();
  await using api = await home.startApi();
  await whenInUse(api);
  await Promise.all([call(api.port, backupsHttp.take, owner), call(api.port, backupsHttp.take, owner)]);
  expect((await whenTaken(api.port)).lastAttempt).toMatchObject({ outcome: 'taken' });

  await session.query('select pg_advisory_lock(7203001)');
  await takeBackup(api.port);
  await session.query('select pg_advisory_unlock(7203001)');
  expect((await statusOf(api.port)).lastAttempt).toMatchObject({ outcome: 'taken' });
  expect(await failures()).toEqual(before);
});

// Guarantee: a nightly backup counts as taken even if an outdated one cannot be deleted.
test('an outdated backup that cannot be deleted', { tags: 'night' }, async () => {
  const { folder } = home;
  {
    await using api = await home.startApi();
    await whenInUse(api);
    await takeBackup(api.port);
  }
  const names = await readdir(folder);
  const model = names.find((each) => /^\d{4}-/.test(each)) ?? '';
  await home.writeOutdated(model);
  // A file that blocks renaming it.
  await writeFile(join(folder, 'outdated.part'), '');
  for (const name of names.filter((each) => /^\d{4}-/.test(each)))
    await rm(join(folder, name), { recursive: true });
  await using api = await home.startApi(nextNight(11 * 60_000));
  await eventually(
    async () =>
      expect((await statusOf(api.port)).backups).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ reason: 'nightly', name: expect.stringMatching(/^\d{4}-/) }),
        ]),
      ),
    takenMs,
  );
  expect((await whenTaken(api.port)).lastAttempt).toMatchObject({ outcome: 'taken' });
  expect(await readdir(folder)).toContain('outdated');
});

// Guarantee: a network drive that is gone hinders nothing but the backups: health and list say it, an attempt fails in the same words
// and is told, and with the drive the backups come back.
test('a folder on a drive that is gone', { tags: ['mount', 'night'], timeout: 120_000 }, async () => {
  await using api = await home.startApi();
  await whenInUse(api);
  const words = `The folder ${home.folder} does not answer. Is its network drive connected?`;
  {
    using drive = deadDrive();
    await mkdir(home.folder, { recursive: true, mode: 0o700 });
    await rename(home.folder, `${home.folder}-kept`);
    await symlink(drive.path, home.folder);
    await eventually(async () => {
      const { components } = (await ask(api.port, '/api/health')).json as StackHealth;
      expect(components).toMatchObject({
        backups: { status: 'degraded', detail: words },
        disk: { status: 'ok' },
      });
    }, 30_000);
    expect(await takeBackup(api.port)).toMatchObject({
      obstacle: words,
      lastAttempt: { outcome: 'failed', detail: words },
    });
    await rm(home.folder);
    await rename(`${home.folder}-kept`, home.folder);
  }
  await eventually(async () => expect((await statusOf(api.port)).obstacle).toBeNull(), 30_000);
  expect((await takeBackup(api.port)).lastAttempt).toMatchObject({ outcome: 'taken' });
});

// Guarantee: if the database's files are out of reach nothing is pretended: the panel says why, and no backup is started.
test('a database elsewhere', async () => {
  await using database = await apiDatabase();
  await using empty = await temporaryFolder('elsewhere');
  await mkdir(join(empty.path, 'backups'));
  await using api = await startTestApi({ databaseUrl: database.url, home: empty.path });
  await whenInUse(api);
  expect((await statusOf(api.port)).obstacle).toMatch(/cannot be read from here/);
  const refused = await call(api.port, backupsHttp.take, owner);
  expect([refused.status, refused.json.code]).toEqual([409, 'BACKUP_IMPOSSIBLE']);
});

// Guarantee: the age that is shown is true, and a backup that is too old is trouble even if no attempt failed.
test('the age of the newest backup', () => {
  const now = Date.parse('2026-05-10T12:00:00Z');
  const hours = (count: number) => ({
    name: 'a',
    takenAt: new Date(now - count * 3_600_000).toISOString(),
    reason: 'nightly',
    cause: { kind: 'nightly' as const },
    kind: 'nightly' as const,
    bytes: 1,
    version: null,
    isListed: true,
    check: null,
    isDatedAhead: false,
  });
  const health = (...backups: Parameters<typeof backupsHealthOf>[0]) =>
    backupsHealthOf(backups, null, now, now);
  expect(health()).toEqual({ status: 'ok', detail: 'There is no backup yet.' });
  expect(health(hours(1.5))).toEqual({ status: 'ok', detail: 'The newest backup is 1 hour old.' });
  expect(health(hours(72))).toEqual({ status: 'degraded', detail: 'The newest backup is 3 days old.' });
  expect(health({ ...hours(1), kind: 'database' })).toMatchObject({ detail: 'There is no backup yet.' });
  expect(backupsHealthOf([], null, now, now - 90 * 3_600_000)).toMatchObject({ status: 'degraded' });
  // Dated ahead: neither fresh nor well, and named; also once that date has passed.
  expect(health(hours(-26), hours(72))).toEqual({
    status: 'degraded',
    detail: `The newest backup is 3 days old. ${healthReasons['backup-ahead']('a')}`,
  });
  expect(health(hours(-26), hours(-1), hours(5)).detail).toBe(
    `The newest backup is 5 hours old. ${healthReasons['backups-ahead'](2, 'a')}`,
  );
  expect(health({ ...hours(0), isDatedAhead: true }, hours(72)).detail).toBe(
    'The newest backup is 3 days old.',
  );
  expect(backupsHealthOf([hours(-26)], null, now, now + 3_600_000)).toMatchObject({ status: 'degraded' });
  expect(backupsHealthOf([hours(0)], null, now, now, { name: 'a', agoMs: 7_200_000 }).detail).toContain(
    '2 hours',
  );
});
