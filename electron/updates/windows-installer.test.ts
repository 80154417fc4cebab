import { generateKeyPairSync } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readPublicKey } from '#runtime/release/signed-manifest.ts';
import { signReleaseOf } from '../../build/release/sign-release.ts';
import { isInstalledIn, lastSetupFailure, runInstaller } from './windows-installer.ts';

const setUp = async (path: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const journal = join(path, 'journal');
  const from = join(path, 'kept by Eva é');
  const built = join(path, 'built');
  await mkdir(built);
  const name = 'Castellan-Setup-0.2.0.exe';
  await writeFile(join(built, name), `#!/bin/sh\necho "$*" >> "${journal}"\n`);
  const now = new Date();
  await signReleaseOf({
    folder: built,
    version: '0.2.0',
    follows: '0.1.0',
    notes: '',
    releasedAt: now,
    // An installer kept for the way back is older than the time for which a release counts as current.
    expiresAt: now,
    keys: [privateKey],
    out: path,
  });
  await mkdir(from);
  const kept = join(path, '0.2.0');
  for (const file of await readdir(kept)) await copyFile(join(kept, file), join(from, file));
  await chmod(join(from, name), 0o755);
  await writeFile(join(from, 'version.dll'), 'laid beside it');
  const closed: string[] = [];
  const options = {
    from,
    version: '0.2.0',
    programFiles: join(path, 'Program Files'),
    source: { url: '', keys: [readPublicKey(x)] },
    installed: '0.1.0',
    async close(folder: string) {
      closed.push(folder);
      // No other account may enter it before.
      expect(await readdir(folder)).toEqual([]);
    },
  };
  return { journal, options, closed, installer: join(from, name) };
};

// Guarantee: with an administrator's rights nothing runs but what our key has signed, from a folder that was closed to others
// before it came there; silently, as an upgrade, and over a newer version only as the way back.
test('what an administrator runs', async () => {
  await using folder = await temporaryFolder('run installer');
  const { journal, options, closed } = await setUp(folder.path);
  await runInstaller(options);
  await eventually(async () => expect(await readFile(journal, 'utf8')).toBe('/S --updated --force-run\n'));
  await runInstaller({ ...options, installed: '0.3.0' });
  await eventually(async () =>
    expect((await readFile(journal, 'utf8')).split('\n')[1]).toBe(
      '/S --updated --force-run /ALLOW-DOWNGRADE',
    ),
  );
  expect(closed).toHaveLength(2);
  // Nothing of the first is left; beside the other is what was signed and nothing else.
  const room = join(options.programFiles, 'Castellan Updates');
  const [left = ''] = await readdir(room);
  expect(await readdir(room)).toHaveLength(1);
  expect(await readdir(join(room, left))).toEqual(['Castellan-Setup-0.2.0.exe', 'castellan.release']);
});

// Guarantee: what was replaced after the desktop has looked at it, or is another version than the agreed one, is not run, and
// nothing of it stays.
test('exchanged in the meantime', async () => {
  await using folder = await temporaryFolder('run installer');
  const { journal, options, installer } = await setUp(folder.path);
  await expect(runInstaller({ ...options, version: '0.3.0' })).rejects.toThrow('It is 0.2.0, and not 0.3.0.');
  await expect(runInstaller({ ...options, version: '../..' })).rejects.toThrow('no version');
  const bytes = await readFile(installer);
  bytes[bytes.length - 2] = 0x20;
  await writeFile(installer, bytes);
  await expect(runInstaller(options)).rejects.toThrow('is not the file that was signed');
  expect(await readdir(join(options.programFiles, 'Castellan Updates'))).toEqual([]);
  await expect(readFile(journal)).rejects.toThrow();
});

const exported = (text: string) =>
  Buffer.from(
    `\ufeffWindows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\Software\\Castellan\\Setup]\r\n"LastFailure"="${text}"\r\n`,
    'utf16le',
  );

// Guarantee: the reason why the installer gave up is shown in its own words, for the version that it is about, and for no other.
test('why the installer gave up', async () => {
  const runProgram = async (_program: string, args: readonly string[]) => {
    await writeFile(args[2] ?? '', exported('1.4.0: Algo segura os arquivos de C:\\\\Ações.'));
    return '';
  };
  expect(await lastSetupFailure('1.4.0', runProgram)).toBe('Algo segura os arquivos de C:\\Ações.');
  expect(await lastSetupFailure('1.4', runProgram)).toBeNull();
  expect(await lastSetupFailure('1.5.0', runProgram)).toBeNull();
  const absent = async () => Promise.reject(new Error('ended with 1'));
  expect(await lastSetupFailure('1.4.0', absent)).toBeNull();
});

// Guarantee: only the copy that the installer has put somewhere, and closed to others, counts as installed.
test('where it is installed', async () => {
  const runProgram = async (_program: string, args: readonly string[]) => {
    expect(args[1]).toContain('\\Uninstall\\Castellan');
    const text =
      'Windows Registry Editor Version 5.00\r\n\r\n[x]\r\n"InstallLocation"="D:\\\\Jogos é\\\\Castellan"\r\n';
    await writeFile(args[2] ?? '', Buffer.from(`\ufeff${text}`, 'utf16le'));
    return '';
  };
  expect(await isInstalledIn('d:\\jogos é\\castellan\\resources\\programs', runProgram)).toBe(true);
  expect(await isInstalledIn('C:\\Users\\eva\\Castellan\\resources\\programs', runProgram)).toBe(false);
  const absent = async () => Promise.reject(new Error('ended with 1'));
  expect(await isInstalledIn('D:\\Jogos é\\Castellan\\resources\\programs', absent)).toBe(false);
});
