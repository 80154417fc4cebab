import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readPublicKey } from '#runtime/release/signed-manifest.ts';
import { signReleaseOf } from '../../build/release/sign-release.ts';
import type { ElevatedAct } from '../elevation/elevated-act.ts';
import type { Elevation } from '../elevation/run-elevated.ts';
import { type InstallationFacts, installationOf } from './installation.ts';
import { readKeptInstaller } from './kept-installers.ts';

const facts: InstallationFacts = {
  platform: 'linux',
  isInstalled: true,
  appImage: undefined,
  runElevated: async () => ({ outcome: 'done', exitCode: 0 }),
  keys: [],
  startAfterwards: () => undefined,
};

const keep = async (folder: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const keys = [readPublicKey(x)];
  const built = join(folder, 'built');
  await mkdir(built);
  await writeFile(join(built, 'Castellan-0.2.0.AppImage'), 'the new one');
  await writeFile(join(built, 'Castellan-Setup-0.2.0.exe'), 'the new one for Windows');
  await signReleaseOf({
    folder: built,
    version: '0.2.0',
    follows: '0.1.0',
    notes: '',
    releasedAt: new Date(),
    expiresAt: new Date(),
    keys: [privateKey],
    out: join(folder, 'kept'),
  });
  return { keys, folder: join(folder, 'kept', '0.2.0') };
};

// Guarantee: an AppImage is either the new one or the old one, and can be started; where it cannot be written, or the kept file
// was replaced, it stays the old one, and nothing is left beside it.
test('an AppImage', async () => {
  await using folder = await temporaryFolder('installation');
  const { keys, folder: keptIn } = await keep(folder.path);
  const place = join(folder.path, 'Programas de Eva');
  await mkdir(place);
  const appImage = join(place, 'Castellan.AppImage');
  await writeFile(appImage, 'the old one');
  const started: string[] = [];
  const startAfterwards = (program: string) => void started.push(program);
  const installation = installationOf({ ...facts, appImage, keys, startAfterwards });
  const kept = await readKeptInstaller(keptIn, keys, 'linux-x64');
  await installation?.install(kept);
  expect(await readFile(appImage, 'utf8')).toBe('the new one');
  expect((await stat(appImage)).mode & 0o777).toBe(0o755);
  expect(started).toEqual([appImage]);
  expect(await readdir(place)).toEqual(['Castellan.AppImage']);

  await writeFile(appImage, 'the old one');
  await writeFile(kept.path, 'the bad one');
  await expect(installation?.install(kept)).rejects.toMatchObject({ code: 'damaged' });
  await writeFile(kept.path, 'the new one');
  // No one, not even root, can write over a folder.
  await rm(appImage);
  await mkdir(join(appImage, 'full'), { recursive: true });
  await expect(installation?.install(kept)).rejects.toMatchObject({ code: 'disk' });
  expect(await readdir(place)).toEqual(['Castellan.AppImage']);
  expect(started).toHaveLength(1);
});

// Guarantee: a missing installer counts as damaged; any other error of the disk is reported as it is.
test('an installer that cannot be looked at', async () => {
  await using folder = await temporaryFolder('installation');
  const { keys, folder: keptIn } = await keep(folder.path);
  const { path } = await readKeptInstaller(keptIn, keys, 'linux-x64');
  await rm(path);
  await expect(readKeptInstaller(keptIn, keys, 'linux-x64')).rejects.toMatchObject({ code: 'damaged' });
  await symlink(path, path);
  await expect(readKeptInstaller(keptIn, keys, 'linux-x64')).rejects.toMatchObject({ code: 'ELOOP' });
});

// Guarantee: on Windows the elevated half is told what to install, by folder and version; a refusal is distinguished from a
// failure.
test('on Windows', async () => {
  await using folder = await temporaryFolder('installation');
  const { keys, folder: keptIn } = await keep(folder.path);
  const asked: ElevatedAct[] = [];
  let answer: Elevation = { outcome: 'done', exitCode: 0 };
  const installation = installationOf({
    ...facts,
    platform: 'win32',
    keys,
    runElevated: async (act) => {
      asked.push(act);
      return answer;
    },
  });
  const kept = await readKeptInstaller(keptIn, keys, 'win32-x64');
  await installation?.install(kept);
  expect(asked).toEqual([{ act: 'update', folder: keptIn, version: '0.2.0' }]);
  answer = { outcome: 'refused', exitCode: 1223 };
  await expect(installation?.install(kept)).rejects.toMatchObject({
    code: 'not-elevated',
    message: expect.stringContaining('not allowed'),
  });
});

// Guarantee: what was not installed is not replaced.
test('no installation', () => {
  expect(installationOf(facts)).toBeNull();
  expect(installationOf({ ...facts, appImage: 'Castellan.AppImage' })).toBeNull();
  expect(installationOf({ ...facts, platform: 'win32', isInstalled: false })).toBeNull();
});
