import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { databaseIn } from './database-state.ts';

// Guarantee: an empty folder is no database, one with PG_VERSION is, and anything in between is named as such.
test('what is in a data folder', async () => {
  await using folder = await temporaryFolder('state');
  const data = join(folder.path, 'data');
  expect(databaseIn(data)).toBe('none');
  // As at the top of a disk.
  for (const name of ['lost+found', '$RECYCLE.BIN']) await mkdir(join(data, name), { recursive: true });
  expect(databaseIn(data)).toBe('none');
  await writeFile(join(data, 'postgresql.conf'), '');
  expect(databaseIn(data)).toBe('half');
  await writeFile(join(data, 'PG_VERSION'), '18\n');
  expect(databaseIn(data)).toBe('whole');
  await writeFile(join(folder.path, 'file'), '');
  expect(databaseIn(join(folder.path, 'file'))).toBe('half');
});
