import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { missingLibrary, writeProgramWithoutLibrary } from '../agent/power/program/testing/program-files.ts';
import { librariesRemedy, missingLibraries } from './missing-libraries.ts';

// Guarantee: a desktop that could not start for want of libraries is told apart, with the one command that brings them.
test.skipIf(process.platform !== 'linux')('a library is missing', async () => {
  await using folder = await temporaryFolder('libraries');
  const path = join(folder.path, 'electron');
  await writeProgramWithoutLibrary(path);
  expect(await missingLibraries(path)).toEqual([missingLibrary]);
  expect(await missingLibraries(process.execPath)).toEqual([]);
  expect(await missingLibraries(join(folder.path, 'none'))).toEqual([]);
});

test('what to install', () => {
  expect(librariesRemedy(['libgtk-3.so.0', 'libnss3.so', 'libnssutil3.so', 'libodd.so'])).toBe(
    'Electron lacks libgtk-3.so.0, libnss3.so, libnssutil3.so, libodd.so. Install them with: apt-get install libgtk-3-0 libnss3',
  );
});
