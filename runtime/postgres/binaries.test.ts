import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { demandRuntimeLibraries } from './binaries.ts';

// Guarantee: missing libraries of Postgres on Windows are named together with what to install; they may be in either place.
test('missing runtime libraries are named', async () => {
  await using folder = await temporaryFolder('libraries');
  const [beside, system] = [join(folder.path, 'bin'), join(folder.path, 'System32')];
  await mkdir(beside);
  await mkdir(system);
  await writeFile(join(beside, 'vcruntime140.dll'), '');
  await writeFile(join(system, 'msvcp140.dll'), '');
  expect(() => demandRuntimeLibraries([beside, system])).toThrow(
    'Postgres needs vcruntime140_1.dll; install the Microsoft Visual C++ Redistributable 2015-2022 (x64).',
  );
  await writeFile(join(system, 'vcruntime140_1.dll'), '');
  expect(() => demandRuntimeLibraries([beside, system])).not.toThrow();
});
