import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { receivePathsInUtf8 } from './windows-manifest.ts';
import { resourcesOf, writeEmptyProgram } from './windows-resources.ts';

// Guarantee: a program without a manifest gets one that asks Windows for UTF-8, and keeps its other resources; one that has a manifest
// is refused instead of getting two.
test('paths in UTF-8', async () => {
  await using folder = await temporaryFolder('manifest');
  const file = join(folder.path, 'program.exe');
  await writeEmptyProgram(file, [{ type: 14, id: 1, bytes: Buffer.alloc(4) }]);

  await receivePathsInUtf8(file);
  const resources = await resourcesOf(file);
  expect(resources.map(({ type, id }) => [type, id])).toEqual([
    [14, 1],
    [24, 1],
  ]);
  expect(resources[1]?.bytes.toString()).toMatch(
    /<activeCodePage xmlns="http:\/\/schemas\.microsoft\.com\/SMI\/2019\/WindowsSettings">UTF-8<\/activeCodePage>/,
  );
  await expect(receivePathsInUtf8(file)).rejects.toThrow(/has a manifest already/);
});
