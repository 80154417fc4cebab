import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { checkHome as check } from './home-check.ts';

const checkHome = (home: string, codePage: () => Promise<number | null> = async () => null) =>
  check(home, { variables: {}, programsFolder: import.meta.dirname, system: { codePage } });

// Guarantee: a folder is called usable only where an installation could be made, and looking leaves nothing there.
test('what can be a home', async () => {
  await using folder = await temporaryFolder('homes');
  const at = (...parts: string[]) => join(folder.path, ...parts);
  expect(await checkHome(at('new', 'Größe und Ελλάδα', 'home'))).toEqual({ outcome: 'new', warnings: [] });
  expect(await checkHome(folder.path)).toEqual({ outcome: 'new', warnings: [] });
  expect(await readdir(folder.path)).toEqual([]);

  await writeFile(at('file'), '');
  expect(await checkHome(at('file', 'home'))).toMatchObject({ outcome: 'not-a-folder' });
  expect(await checkHome('home')).toMatchObject({ outcome: 'not-absolute' });
  expect(await checkHome('/proc/self/home')).toMatchObject({ outcome: 'not-writable' });
  expect(await checkHome(at('n'.repeat(300)))).toMatchObject({ outcome: 'not-writable' });
  expect(await checkHome(at('zero\0'))).toMatchObject({ outcome: 'not-writable' });
});

// Guarantee: an existing installation is used; a database whose key is lost is not covered by a new one.
test('what is there already', async () => {
  await using folder = await temporaryFolder('homes');
  const data = join(folder.path, 'postgres', 'data');
  await mkdir(data, { recursive: true });
  // An empty folder is no database, as where initdb has written elsewhere; without PG_VERSION, it is not one yet.
  expect(await checkHome(folder.path)).toMatchObject({ outcome: 'new' });
  await writeFile(join(data, 'postgresql.conf'), '');
  expect(await checkHome(folder.path)).toMatchObject({
    outcome: 'half-database',
    detail: expect.stringContaining(data),
  });
  await writeFile(join(data, 'PG_VERSION'), '18\n');
  expect(await checkHome(folder.path)).toMatchObject({ outcome: 'key-lost' });
  await writeFile(join(folder.path, '.env'), '');
  expect(await checkHome(folder.path)).toEqual({ outcome: 'taken-up', warnings: [] });
});

// Guarantee: a folder in which Windows's Postgres could not make its database is refused with the letters that prevent it.
test('letters that the code page lacks', async () => {
  await using folder = await temporaryFolder('homes');
  const western = async () => 1252;
  expect(await checkHome(join(folder.path, 'Größe'), western)).toEqual({ outcome: 'new', warnings: [] });
  expect(await checkHome(join(folder.path, 'Ελλάδα'), western)).toMatchObject({
    outcome: 'unspellable',
    detail: expect.stringMatching(/Ε λ ά δ α$/),
  });
  // With settings but no database, nothing has ever started there; a database that is there has.
  const home = join(folder.path, '表示');
  await mkdir(home);
  await writeFile(join(home, '.env'), '');
  const japanese = async () => 932;
  expect(await checkHome(home, japanese)).toMatchObject({ outcome: 'unspellable' });
  await mkdir(join(home, 'postgres', 'data'), { recursive: true });
  expect(await checkHome(home, japanese)).toMatchObject({ outcome: 'unspellable' });
  await writeFile(join(home, 'postgres', 'data', 'PG_VERSION'), '18\n');
  expect(await checkHome(home, japanese)).toMatchObject({ outcome: 'taken-up', warnings: [{}] });
});
