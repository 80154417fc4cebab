import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { appendFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { version } from '#runtime/version.ts';
import { makeInstaller } from '../../build/package/installer.ts';
import { layOutPrograms } from '../../build/package/programs.ts';
import { signReleaseOf } from '../../build/release/sign-release.ts';
import { openWindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

const patienceMs = 120_000;
const newer = '9.1.0';
/** Signed as well, and never installed here. */
const earlier = '0.0.1';

/** The parts of a package that an update needs: the command that runs elevated, and what distinguishes the versions. */
const makePackage = async (to: string, programs: string, own: string, publicKey: string): Promise<void> => {
  const target = join(to, 'resources', 'programs');
  await mkdir(target, { recursive: true });
  await writeFile(join(to, 'Castellan.exe'), own);
  await cp(join(programs, 'node.exe'), join(target, 'node.exe'));
  const command = await readFile(join(programs, 'castellan.mjs'), 'utf8');
  await writeFile(join(target, 'castellan.mjs'), command.replaceAll(version, own));
  const source = { url: 'https://updates.invalid/', publicKeys: [publicKey] };
  await writeFile(join(target, 'update-source.json'), JSON.stringify(source));
};

/** As the desktop stores it: one folder per version, with its signed release. */
const sign = async (from: string, own: string, out: string, key: KeyObject): Promise<void> => {
  const now = new Date();
  const release = {
    version: own,
    follows: own === earlier ? own : version,
    notes: '',
    releasedAt: now,
    expiresAt: now,
  };
  await signReleaseOf({ ...release, folder: from, keys: [key], out });
};

// Guarantee: on Windows, the installed program's own elevated helper installs what our key has signed with our real installer,
// also over the running program itself, and goes back from there to the previous version and to no other; a file that was swapped is not run.
testOnWindows('updated, and gone back, on Windows', ['nsis'], async () => {
  await using work = await temporaryFolder('update-package');
  await using lab = await openWindowsLab();
  const at = (...names: readonly string[]) => join(lab.drive, ...names);
  const programs = join(work.path, 'programs');
  await layOutPrograms(programs, 'win');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kept = at('users', 'Eva é', 'kept');
  for (const own of [earlier, version, newer]) {
    const appFolder = join(work.path, own);
    await makePackage(appFolder, programs, own, x);
    const setup = join(work.path, `setup-${own}`, `Castellan-Setup-${own}.exe`);
    await makeInstaller({ appFolder, file: setup, version: own, isPacked: false });
    await sign(join(work.path, `setup-${own}`), own, kept, privateKey);
  }
  const keptIn = (own: string) => `C:\\users\\Eva é\\kept\\${own}`;
  const place = 'C:\\Program Files\\Castellan';
  const installed = () => readFile(at('Program Files', 'Castellan', 'Castellan.exe'), 'utf8');
  const update = (own: string) =>
    lab.run(`${place}\\resources\\programs\\node.exe`, [
      `${place}\\resources\\programs\\castellan.mjs`,
      'update',
      'install',
      keptIn(own),
      own,
    ]);
  const becomes = (own: string) =>
    eventually(async () => {
      expect(await installed()).toBe(own);
      const names = await readdir(at('Program Files'));
      expect(names.filter((name) => /\.(?:old|new)$/.test(name))).toEqual([]);
    }, patienceMs);

  const first = await lab.run(`${keptIn(version)}\\Castellan-Setup-${version}.exe`, ['/S']);
  expect([first.code, await installed()]).toEqual([0, version]);

  expect(await update(newer)).toMatchObject({ code: 0 });
  await becomes(newer);
  const older = await update(earlier);
  expect([older.code === 0, older.err]).toEqual([false, expect.stringContaining('has not replaced it')]);
  expect(await update(version)).toMatchObject({ code: 0 });
  await becomes(version);
  // It has replaced the newer one.
  expect((await update(earlier)).code).not.toBe(0);

  await appendFile(join(kept, newer, `Castellan-Setup-${newer}.exe`), 'a little more');
  const refused = await update(newer);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('is not the file that was signed');
  expect(await installed()).toBe(version);
});
