import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { copyTree } from './copy-server.ts';

// Guarantee: a copy never writes through a link that someone else has put in its way.
test('a link in the copy', async () => {
  await using folder = await temporaryFolder('copy');
  const [from, to, outside] = ['from', 'to', 'outside'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [from, to]) await mkdir(path);
  await writeFile(join(from, 'a'), 'new');
  await writeFile(outside, 'theirs');
  await symlink(outside, join(to, 'a'));
  await expect(
    copyTree(from, to, { isLeftOut: () => false, signal: new AbortController().signal }),
  ).rejects.toThrow('EEXIST');
  expect(await readFile(outside, 'utf8')).toBe('theirs');
});
