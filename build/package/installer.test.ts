import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { makeInstaller, versionQuad } from './installer.ts';

// Guarantee: what Windows compares is the version's own three numbers, and nothing is guessed.
test('versions as Windows counts', () => {
  expect(versionQuad('1.2.3')).toBe('1.2.3.0');
  expect(versionQuad('10.0.1-beta.4')).toBe('10.0.1.0');
  expect(() => versionQuad('next')).toThrow('no version');
});

// Guarantee: the installer compiles without a warning for every Windows and for a 64-bit one, asks for an administrator,
// and leaves no half of itself.
test('the installer', { tags: 'nsis' }, async () => {
  await using folder = await temporaryFolder('nsis');
  const appFolder = join(folder.path, 'app');
  await mkdir(join(appFolder, 'resources', 'programs'), { recursive: true });
  await writeFile(join(appFolder, 'Castellan.exe'), 'as much as is asked for');
  // 0x14c and 0x8664 are the machines of the file's format.
  for (const [is64Bit, machine] of [
    [false, 0x14c],
    [true, 0x8664],
  ] as const) {
    const file = join(folder.path, `${machine}.exe`);
    await makeInstaller({ appFolder, file, version: '1.2.3', is64Bit });
    await using program = await open(file);
    const { buffer } = await program.read({ buffer: Buffer.alloc(4096), position: 0 });
    expect(buffer.readUInt16LE(buffer.readUInt32LE(0x3c) + 4)).toBe(machine);
    expect(await readFile(file, 'latin1')).toContain('requireAdministrator');
  }
  await expect(
    makeInstaller({ appFolder: join(folder.path, 'none'), file: join(folder.path, 'x.exe') }),
  ).rejects.toThrow('makensis');
});
