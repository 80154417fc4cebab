import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isInstalledIn, lastSetupFailure } from './setup-registry.ts';

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
