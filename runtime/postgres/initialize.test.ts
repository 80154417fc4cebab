import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { ensureInitialized, lettersHint } from './initialize.ts';

// Guarantee: if initdb may have failed because of characters in a folder's path, that folder is named; if it cannot have, nothing is added.
test('folders whose letters Postgres may be unable to use', () => {
  const plain = 'C:\\Program Files\\Castellan\\initdb.exe';
  expect(lettersHint([plain, 'D:\\Castellan\\postgres\\data'])).toBe('');
  expect(lettersHint([plain, 'D:\\Игры\\postgres\\data'])).toContain('D:\\Игры');
  expect(lettersHint(['C:\\Users\\Jürgen\\initdb.exe', 'D:\\x'])).toContain('Jürgen');
});

const withData = async (make: (data: string) => Promise<unknown>, program: string) => {
  const folder = await temporaryFolder('initialize');
  const data = join(folder.path, 'data');
  await make(data);
  const binaries = { initdb: program, pgCtl: program, postgres: program };
  return {
    folder,
    data,
    begin: (traces: string[] = []) => ensureInitialized(folder.path, data, binaries, null, traces),
  };
};

// Guarantee: files without a database are not called one, and stay; nor is what an initdb leaves that ended well elsewhere (Postgres
// bug 18735: letters that end in the byte of a backslash), and the next start begins again.
test('folders without a database', async () => {
  const files = await withData(async (data) => {
    await mkdir(data);
    await writeFile(join(data, 'notes.txt'), '');
  }, '/bin/false');
  await using _ = files.folder;
  await expect(files.begin()).rejects.toThrow(
    /The database in .* is not whole: .* first quit Castellan, then move .*data to another folder/,
  );
  expect(await readdir(files.data)).toEqual(['notes.txt']);

  const elsewhere = await withData(mkdir, '/bin/true');
  await using __ = elsewhere.folder;
  for (let tries = 0; tries < 2; tries += 1)
    await expect(elsewhere.begin()).rejects.toThrow(/could not be created .* initdb has left nothing there/);
  expect(await readdir(elsewhere.folder.path)).toEqual([]);
});

// Guarantee: where a database was, such as on a disk that is not mounted now, no empty one takes its place: the owner is asked, the
// folder that the disk belongs in stays, and so does the password of the database.
test('a database that is gone', async () => {
  const { folder, data, begin } = await withData(mkdir, '/bin/true');
  await using _ = folder;
  const password = join(folder.path, 'superuser.password');
  const record = join(folder.path, 'encryption-keys.json');
  await writeFile(password, 'of the database');
  await expect(begin()).rejects.toThrow(/it left superuser\.password\. .* connect that disk/);
  await writeFile(record, '');
  await expect(begin([record])).rejects.toThrow(
    `first quit Castellan, then move ${password}, ${record} to another folder`,
  );
  expect(await readdir(folder.path)).toEqual(['data', 'encryption-keys.json', 'superuser.password']);
  await rmdir(data);
  await expect(begin()).rejects.toThrow('connect that disk');
  expect(await readFile(password, 'utf8')).toBe('of the database');

  // A first start was killed before the rename: nothing was ever in that database.
  await mkdir(`${data}.new`);
  await expect(begin([record])).rejects.toThrow('it left encryption-keys.json.');
  await expect(begin()).rejects.toThrow('initdb has left nothing there');
  expect(await readdir(folder.path)).toEqual(['encryption-keys.json']);
});

// Guarantee: a disk that is mounted at the database's own folder is no database, and the remedy is named.
test('the top of a disk', async () => {
  const { folder, begin } = await withData(
    (data) => mkdir(join(data, 'lost+found'), { recursive: true }),
    '/bin/true',
  );
  await using _ = folder;
  await expect(begin()).rejects.toThrow('mount it one folder further up');
});
