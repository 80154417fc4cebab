import { once } from 'node:events';
import { mkdir, readdir, rm, symlink, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { smallHome, writeFiles } from '../testing/small-home.ts';
import { writeMark } from './move-marks.ts';
import { checkTarget } from './target-check.ts';

// Guarantee: a folder is refused, with the reason, where the data folder would not be safe; looking leaves nothing there.
test('where a home can move to', async () => {
  await using folder = await temporaryFolder('targets');
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const home = at('old');
  await writeFiles(home, smallHome);
  await mkdir(at('programs'));
  const variables = { OneDrive: at('cloud') };
  const check = (target: string) => checkTarget({ home, target, programsFolder: at('programs'), variables });

  expect(await check(at('a b', 'Größe'))).toMatchObject({ outcome: 'fine', files: 7 });
  await mkdir(at('empty'));
  expect(await check(at('empty'))).toMatchObject({ outcome: 'fine' });
  expect(await readdir(at('empty'))).toEqual([]);
  expect(await check('new')).toMatchObject({ outcome: 'not-absolute' });
  expect(await check(home)).toMatchObject({ outcome: 'inside' });
  expect(await check(at('old', 'inner'))).toMatchObject({ outcome: 'inside' });
  expect(await check(folder.path)).toMatchObject({ outcome: 'inside' });
  await symlink(home, at('link'));
  expect(await check(at('link', 'inner'))).toMatchObject({ outcome: 'inside' });
  expect(await check(at('programs', 'data'))).toMatchObject({ outcome: 'programs' });
  expect(await check(at('cloud', 'Castellan'))).toMatchObject({ outcome: 'synced' });
  expect(await check(at('OneDrive - The Keep', 'Castellan'))).toMatchObject({ outcome: 'synced' });
  const synced = [
    ...[
      'Dropbox (Personal)',
      'Dropbox (2)',
      'Nextcloud',
      'Nextcloud2',
      'ownCloud',
      'GoogleDrive',
      'SynologyDrive',
    ],
    ...[
      'Proton Drive',
      'pCloud Drive',
      'Yandex.Disk',
      'MEGA',
      'Box',
      'My Drive',
      'Meine Ablage',
      'マイドライブ',
    ],
    ...[
      'iCloudDrive',
      'Insync',
      'BaiduSyncdisk',
      'Filen',
      'Nutstore Files',
      'kDrive',
      'OneDrive - A & B (2)',
    ],
  ];
  for (const name of synced)
    expect([name, await check(at(name, 'x'))]).toMatchObject([name, { outcome: 'synced' }]);
  const marks = [
    ...['.stfolder', '.owncloudsync.log', '.tmp.driveupload', '.dropbox', '.nextcloudsync.log'],
    ...['.sync_c6217acc34d7.db', '._sync_7d56ce96981f.db', '.csync_journal.db', '.sync/ID'],
  ];
  for (const mark of marks) {
    await writeFiles(at(`by ${mark.replace('/', ' ')}`), { [mark]: '' });
    const detail = expect.stringContaining(mark);
    expect(await check(at(`by ${mark.replace('/', ' ')}`, 'a', 'b'))).toMatchObject({
      outcome: 'synced',
      detail,
    });
  }
  // As in a home folder whose account uses Dropbox or pCloud, and what looks like a journal.
  await writeFiles(at('jane'), { '.dropbox/info.json': '', '.pcloud/data.db': '', '.sync_me.db': '' });
  expect(await check(at('jane', 'castellan'))).toMatchObject({ outcome: 'fine' });
  for (const name of ['old2', 'Megaphone', 'Boxes', 'Dropboxes', 'Sync', 'My Drives', 'Box of toys'])
    expect([name, await check(at(name))]).toMatchObject([name, { outcome: 'fine' }]);

  await writeFiles(at('full'), { 'photo.png': '' });
  expect(await check(at('full'))).toMatchObject({ outcome: 'not-empty' });
  await writeFiles(at('other'), smallHome);
  expect(await check(at('other'))).toMatchObject({ outcome: 'not-empty' });
  await writeFiles(at('half'), smallHome);
  await writeMark(at('half'), 'unfinished', home);
  expect(await check(at('half'))).toMatchObject({ outcome: 'fine' });
  await writeMark(at('half'), 'unfinished', at('other'));
  expect(await check(at('half'))).toMatchObject({ outcome: 'not-empty' });
});

// Guarantee: a data folder that contains Castellan itself is not moved, since the programs would be deleted with the old one.
test('programs in the home', async () => {
  await using folder = await temporaryFolder('targets');
  const home = join(folder.path, 'old');
  await writeFiles(home, { ...smallHome, 'programs/api.mjs': '' });
  const options = { home, target: join(folder.path, 'new'), variables: {} };
  const report = await checkTarget({ ...options, programsFolder: join(home, 'programs') });
  expect(report).toMatchObject({
    outcome: 'unmovable',
    detail: expect.stringContaining('programs of Castellan'),
  });
});

// Guarantee: what cannot be copied correctly is refused before anything is stopped, never followed.
test('what cannot move', async () => {
  await using folder = await temporaryFolder('targets');
  const home = join(folder.path, 'old');
  await writeFiles(home, smallHome);
  const check = () =>
    checkTarget({
      home,
      target: join(folder.path, 'new'),
      programsFolder: import.meta.dirname,
      variables: {},
    });
  await symlink('/etc', join(home, 'backups', 'link'));
  expect(await check()).toMatchObject({ outcome: 'unmovable', detail: expect.stringContaining('/etc') });
  await rm(join(home, 'backups', 'link'));
  const server = createServer().listen(join(home, 'socket'));
  await once(server, 'listening');
  expect(await check()).toMatchObject({ outcome: 'unmovable' });
  server.close();
  await once(server, 'close');
  // No disk is that large, and as long as nothing is written none has to be.
  await truncate(join(home, 'logs', 'api.log'), 15 * 1024 ** 4);
  expect(await check()).toMatchObject({ outcome: 'full', neededBytes: expect.any(Number) });
  await truncate(join(home, 'logs', 'api.log'), 0);
  await writeFiles(home, { '.env': `TLS_CERT_FILE="${home}/my certificate.pem"\n` });
  expect(await check()).toMatchObject({
    outcome: 'unmovable',
    detail: expect.stringContaining('TLS_CERT_FILE'),
  });
});
