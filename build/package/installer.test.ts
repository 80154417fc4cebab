import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { drawPictures } from '../installer/draw-pictures.ts';
import { makeInstaller, versionQuad } from './installer.ts';

// Guarantee: Windows compares the version's own three numbers, and nothing is guessed.
test('versions as Windows counts', () => {
  expect(versionQuad('1.2.3')).toBe('1.2.3.0');
  expect(versionQuad('10.0.1-beta.4')).toBe('10.0.1.0');
  expect(() => versionQuad('next')).toThrow('no version');
});

// Guarantee: the installer compiles without a warning, as a 64-bit program like everything it installs, asks for an
// administrator, includes the terms in both languages, and leaves no half-written file behind.
test('the installer', { tags: 'nsis' }, async () => {
  await using folder = await temporaryFolder('nsis');
  const appFolder = join(folder.path, 'app');
  const licenses = join(appFolder, 'resources', 'programs', 'licenses');
  await mkdir(licenses, { recursive: true });
  await writeFile(join(appFolder, 'Castellan.exe'), Buffer.alloc(5_000_000, 'as much as is asked for'));
  await writeFile(join(licenses, 'libraries.txt'), 'Copyright of somebody else');
  await writeFile(join(licenses, 'castellan.en.txt'), 'ours, which begins the page already');
  const file = join(folder.path, 'setup.exe');
  await makeInstaller({ appFolder, file, version: '1.2.3', isPacked: false });
  await using program = await open(file);
  const { buffer } = await program.read({ buffer: Buffer.alloc(4096), position: 0 });
  const x64 = 0x8664;
  expect(buffer.readUInt16LE(buffer.readUInt32LE(0x3c) + 4)).toBe(x64);
  const bytes = await readFile(file);
  const ascii = bytes.toString('latin1');
  expect(ascii).toContain('requireAdministrator');
  expect(ascii).toContain('longPathAware');
  const has = (text: string) =>
    bytes.includes(Buffer.from(text, 'utf16le')) || bytes.includes(Buffer.from(text));
  // The longest path of this package has 44 characters.
  expect(has('it may have 210 characters')).toBe(true);
  expect(has('Castellan: license terms')).toBe(true);
  expect(has('Castellan: termos de licença')).toBe(true);
  expect(has('Copyright of somebody else')).toBe(true);
  expect(await readdir(folder.path)).toEqual(['app', 'setup.exe']);
  await expect(
    makeInstaller({ appFolder: join(folder.path, 'none'), file: join(folder.path, 'x.exe') }),
  ).rejects.toThrow('ENOENT');
});

// Guarantee: a picture is a bitmap of the size that its name promises, with the mark on it.
test('the pictures', async () => {
  await using folder = await temporaryFolder('pictures');
  for (const name of await drawPictures(folder.path)) {
    const [, part, percent] = /^(side|head)-(\d+)\.bmp$/.exec(name) ?? [];
    const bitmap = await readFile(join(folder.path, name));
    const [width, height] = part === 'side' ? [164, 314] : [150, 57];
    expect([bitmap.readInt32LE(18), bitmap.readInt32LE(22)]).toEqual(
      [width, height].map((side) => Math.round((side * Number(percent)) / 100)),
    );
    const colours = new Set<string>();
    for (let at = 54; at + 3 <= bitmap.length; at += 3) colours.add(bitmap.toString('hex', at, at + 3));
    // In the order blue, green, red: the background of one, the mark of the other.
    expect(colours).toContain(part === 'side' ? 'ffffff' : 'd8513f');
  }
});
