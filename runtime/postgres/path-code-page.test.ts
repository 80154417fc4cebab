import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { pathCodePageOf } from './path-code-page.ts';

// Guarantee: Postgres receives paths in UTF-8 only if it is the packaged one, and Windows is 1903 or newer; else in the machine's
// code page, which may be unknown.
test('the code page of paths', async () => {
  await using folder = await temporaryFolder('path-code-page');
  const [packaged, plain] = [join(folder.path, 'packaged.exe'), join(folder.path, 'plain.exe')];
  await writeFile(packaged, 'MZ\0<activeCodePage xmlns="…">UTF-8</activeCodePage>');
  await writeFile(plain, 'MZ\0');
  const asked = (release: string, initdb: string, machine: number | null = 932) =>
    pathCodePageOf({ release, initdb, readMachine: async () => machine });
  for (const release of ['10.0.18362', '10.0.19045', '10.0.20348', '10.0.26100', '11.0.30000'])
    expect(await asked(release, packaged)).toBe(65_001);
  // Windows Server 2016 and 2019.
  for (const release of ['10.0.14393', '10.0.17763', '6.3.9600', ''])
    expect(await asked(release, packaged)).toBe(932);
  expect(await asked('10.0.26100', plain)).toBe(932);
  expect(await asked('10.0.26100', plain, null)).toBeNull();
  // Removed by a virus scanner: the start of it says so, no question about a folder fails.
  expect(await asked('10.0.26100', join(folder.path, 'gone.exe'))).toBe(932);
});
