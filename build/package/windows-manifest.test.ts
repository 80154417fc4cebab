import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NtExecutable, NtExecutableResource } from 'resedit';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { receivePathsInUtf8 } from './windows-manifest.ts';

// Guarantee: a program without a manifest gets one that asks Windows for UTF-8, and keeps its other resources; one that has a manifest
// is refused instead of getting two.
test('paths in UTF-8', async () => {
  await using folder = await temporaryFolder('manifest');
  const file = join(folder.path, 'program.exe');
  const program = NtExecutable.createEmpty(false, false);
  const icon = { type: 14, id: 1, lang: 1033, codepage: 0, bin: new ArrayBuffer(4) };
  const resources = NtExecutableResource.from(program);
  resources.entries.push(icon);
  resources.outputResource(program);
  await writeFile(file, Buffer.from(program.generate()));

  await receivePathsInUtf8(file);
  const { entries } = NtExecutableResource.from(NtExecutable.from(await readFile(file)));
  expect(entries.map(({ type, id }) => [type, id])).toEqual([
    [14, 1],
    [24, 1],
  ]);
  expect(Buffer.from(entries[1]?.bin ?? new ArrayBuffer(0)).toString()).toMatch(
    /<activeCodePage xmlns="http:\/\/schemas\.microsoft\.com\/SMI\/2019\/WindowsSettings">UTF-8<\/activeCodePage>/,
  );
  await expect(receivePathsInUtf8(file)).rejects.toThrow(/has a manifest already/);
});
