import { generateKeyPairSync } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readPublicKey } from '#runtime/release/signed-manifest.ts';
import type { RunSystemProgram } from '#runtime/windows/system-program.ts';
import { signReleaseOf } from '../../build/release/sign-release.ts';
import { isInstalledIn, lastSetupFailure, replacedBy, runInstaller } from './windows-installer.ts';

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

/** A registry with these values in the key where only administrators write. */
const registryWith =
  (values: Readonly<Record<string, string>>): RunSystemProgram =>
  async (program, [verb, key, option, name = '', view]) => {
    expect([program, verb, key, option, view]).toEqual([
      ...['reg.exe', 'query', 'HKLM\\Software\\Castellan\\Setup', '/v', '/reg:64'],
    ]);
    const text = values[name];
    if (text === undefined) throw new Error('ended with 1');
    return `\r\nHKEY_LOCAL_MACHINE\\Software\\Castellan\\Setup\r\n    ${name}    REG_SZ    ${text}\r\n\r\n`;
  };

// Guarantee: with an administrator's rights nothing runs but what our key has signed, from a folder that was closed to others
// before it came there; silently, as an upgrade, and over a newer version only as the way back.
test('what an administrator runs', async () => {
  await using folder = await temporaryFolder('run installer');
  const { journal, options, closed } = await setUp(folder.path);
  await runInstaller(options);
  await eventually(async () => expect(await readFile(journal, 'utf8')).toBe('/S --updated --force-run\n'));
  await runInstaller({
    ...options,
    installed: '0.3.0',
    runProgram: registryWith({ 'Before-0.3.0': '0.2.0' }),
  });
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

// Guarantee: an earlier version is installed only if the installed one has replaced it, by a record that only administrators
// write: whatever our key has signed, and whatever the user's own folder says. Nothing of it stays, and the way back is open.
test.each([
  ['no record', {}],
  ['another version', { 'Before-0.3.0': '0.1.0' }],
  ['a version that is newer', { 'Before-0.3.0': '0.4.0' }],
  ['the record of another installed version', { 'Before-0.4.0': '0.2.0', 'Before-0.2.0': '0.2.0' }],
  ['a record that is damaged', { 'Before-0.3.0': '0.2.0 0.2.0' }],
  ['an empty record', { 'Before-0.3.0': '' }],
])('an earlier version with %s', async (_what, values) => {
  await using folder = await temporaryFolder('run installer');
  const { journal, options } = await setUp(folder.path);
  // As the desktop keeps it, where every program of the account writes.
  const pending = { kind: 'way-back', from: '0.3.0', to: '0.2.0' };
  await writeFile(join(options.from, 'update.json'), JSON.stringify({ pending, 'Before-0.3.0': '0.2.0' }));
  const back = runInstaller({ ...options, installed: '0.3.0', runProgram: registryWith(values) });
  await expect(back).rejects.toMatchObject({ code: 'replayed' });
  expect(await readdir(folder.path)).not.toContain('Program Files');
  await expect(readFile(journal)).rejects.toThrow();
});

// Guarantee: the record is read as the installer wrote it.
test('what was replaced', async () => {
  const values = { 'Before-1.10.0': '1.9.0', 'Before-1.1.0': '..\\..' };
  const registry = registryWith(values);
  expect(await replacedBy('1.10.0', registry)).toBe('1.9.0');
  expect(await replacedBy('1.0.0', registry)).toBeNull();
  expect(await replacedBy('1.1.0', registry)).toBeNull();
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
