import { readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { backupsHttp } from '#contracts/operations/backups.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { writeListedBackup } from '#runtime/backup/testing/listed-backup.ts';
import { unpackBackup } from '#runtime/backup/unpack-backup.ts';
import { apiDatabase } from '../../server/kernel/testing/api-database.ts';
import { call, newApiKey, person, signIn } from '../../server/kernel/testing/call.ts';
import { sqlSession } from '../../server/kernel/testing/sql.ts';
import { startTestApi } from '../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';

const passphrase = 'no one else knows this';

// Guarantee: an owner who was asked again gets a backup once, as a file that only the passphrase opens; other people, programs, other
// sessions and a second request get nothing; both ends of a download are in the audit log, and the passphrase is nowhere.
test('a backup is downloaded by its owner', { timeout: 240_000 }, async () => {
  await using home = await temporaryFolder('downloads');
  const name = await writeListedBackup(home.path);
  await writeFile(join(home.path, 'backups', name, 'rows'), Buffer.alloc(6_000_000, 'row '));
  await using database = await apiDatabase();
  await using api = await startTestApi({ databaseUrl: database.url, home: home.path });
  await whenInUse(api);
  const { port } = api;
  const owner = await person(port, { role: 'owner' });
  const admin = await person(port, { role: 'admin' });
  const permissions: Permission[] = ['backups.read', 'backups.write'];
  const { key } = await newApiKey(port, owner.token, { name: 'script', permissions, expiresInDays: 1 });
  const fresh = await signIn(port, owner.name, owner.password);
  const asked = (as: string, of: string = name, given = passphrase) =>
    call(port, backupsHttp.prepareDownload, { as, params: { name: of }, body: { passphrase: given } });
  for (const [as, code] of [
    [admin.token, 'FORBIDDEN'],
    [key, 'PERSON_REQUIRED'],
    [fresh, 'STEP_UP_REQUIRED'],
  ] as const)
    expect((await asked(as)).json, code).toMatchObject({ code });
  expect((await asked(owner.token, '../backups')).json).toMatchObject({ code: 'NOT_FOUND' });
  expect((await asked(owner.token, name, 'short')).json).toMatchObject({ code: 'INVALID_REQUEST' });

  const id = String((await asked(owner.token)).json.id);
  const fetched = (as: string) =>
    fetch(`http://127.0.0.1:${port}${backupsHttp.download.path.replace(':id', id)}`, {
      headers: { Authorization: `Bearer ${as}` },
    });
  for (const [as, status] of [
    [admin.token, 403],
    [key, 403],
    [fresh, 404],
  ] as const)
    expect((await fetched(as)).status).toBe(status);
  const answer = await fetched(owner.token);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=castellan-${name}.tar.age`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect((await fetched(owner.token)).status).toBe(404);
  const file = join(home.path, 'got.tar.age');
  await writeFile(file, bytes);
  const backup = await unpackBackup(file, passphrase, join(home.path, 'unpacked'));
  expect(await readFile(join(backup, 'rows'), 'latin1')).toBe('row '.repeat(1_500_000));

  // Someone who goes away in the middle.
  const left = String((await asked(owner.token)).json.id);
  const path = backupsHttp.download.path.replace(':id', left);
  get({ port, path, headers: { Authorization: `Bearer ${owner.token}` } }, (response) =>
    response.once('data', () => response.destroy()),
  ).on('error', () => undefined);
  await using session = await sqlSession(database.url);
  const audited = () =>
    session.query<{ action: string; actor: string; after: Record<string, unknown> }>(
      `select action, actor, after from audit_logs where action like 'backups.download%' order by id`,
    );
  await eventually(async () => expect(await audited()).toHaveLength(4));
  const rows = await audited();
  expect(rows.map(({ action, after }) => ({ action, ...after }))).toMatchObject([
    { action: 'backups.download', backup: name },
    { action: 'backups.download-end', backup: name, outcome: 'finished', bytes: bytes.length },
    { action: 'backups.download', backup: name },
    { action: 'backups.download-end', backup: name, outcome: 'broken-off' },
  ]);
  expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([`admin:${owner.id}`]));
  expect(JSON.stringify(await session.query('select * from audit_logs'))).not.toContain(passphrase);
});
