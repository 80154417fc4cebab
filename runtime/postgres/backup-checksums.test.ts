import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { backupFaultText, checksumsName, findBackupFault, writeChecksums } from './backup-checksums.ts';

const asText =
  (change: (list: { format: number; files: Record<string, object> }) => void) => (text: string) => {
    const list = JSON.parse(text);
    change(list);
    return JSON.stringify(list);
  };
const list = checksumsName;

// Guarantee: whatever happened to a backup or to its list, the first fault is named, with what to do.
test.each([
  ['nothing', async () => undefined, null, null],
  ['a digit', (at: At) => writeFile(at('.env'), 'KEY=2\n'), 'changed', '.env'],
  ['a file that is gone', (at: At) => rm(at('database/base/1')), 'missing', 'database/base/1'],
  ['a file of someone', (at: At) => writeFile(at('database/note.txt'), ''), 'extra', 'database/note.txt'],
  ['a list that is gone', (at: At) => rm(at(list)), 'missing', list],
  ['a list cut off by a full disk', (at: At) => edit(at, (text) => text.slice(0, 40)), 'changed', list],
  ['a list without a byte', (at: At) => edit(at, () => ''), 'changed', list],
  ['a list of a newer version', (at: At) => edit(at, () => '{"format":2,"tree":{}}'), 'newer', list],
  ['a list of another product', (at: At) => edit(at, () => '{"md5":{}}'), 'changed', list],
  [
    'a list with one file less',
    (at: At) =>
      edit(
        at,
        asText(({ files }) => delete files['.env']),
      ),
    'changed',
    list,
  ],
] as const)('%s', async (_what, happen, code, file) => {
  await using folder = await temporaryFolder('checksums');
  const at: At = (name) => join(folder.path, name);
  await mkdir(at('database/base'), { recursive: true });
  await writeFile(at('.env'), 'KEY=1\n');
  await writeFile(at('database/base/1'), 'a row');
  await writeChecksums(folder.path);
  await happen(at);
  const fault = await findBackupFault(folder.path, { extent: 'all', isListed: true });
  expect(fault).toEqual(code === null || file === null ? null : { code, file });
  if (fault !== null) expect(backupFaultText('/backups/one', fault)).toMatch(/^.*\/backups\/one.*\.$/);
});

type At = (name: string) => string;

const edit = async (at: At, change: (text: string) => string): Promise<void> => {
  const path = at(list);
  await writeFile(path, change(await readFile(path, 'utf8')));
};
