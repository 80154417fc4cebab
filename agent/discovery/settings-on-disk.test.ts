import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { minecraftSettings } from '#games/minecraft/settings-file.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { readSettingsFile, turnConsoleOn } from './settings-on-disk.ts';

const off = 'enable-rcon=false\r\n# mine\r\nrcon.port=25575\r\nrcon.password=\r\n';
const wanted = { port: 25_580, password: new Secret('s3cret-enough') };
const now = new Date('2026-11-23T15:00:00Z');
const turnOn = (path: string) => turnConsoleOn({ path, form: minecraftSettings, console: wanted, now });
const read = (path: string) => readSettingsFile(path, minecraftSettings);

// Guarantee: a change keeps owner, mode and link, leaves a copy of the old file beside it with the same permissions, and nothing half-done.
test('a change', async () => {
  await using folder = await temporaryFolder('settings');
  const real = join(folder.path, 'real.properties');
  const path = join(folder.path, 'Spiel Ж server.properties');
  await writeFile(real, off);
  await chmod(real, 0o640);
  await chown(real, 12_345, 12_346);
  await symlink(real, path);
  const backup = await turnOn(path);
  expect(backup).toBe(`${real}.castellan-2026-11-23T15-00-00`);
  expect(await readFile(backup ?? '', 'utf8')).toBe(off);
  expect(await read(path)).toMatchObject({ isOn: true, port: 25_580 });
  for (const file of [real, backup ?? ''])
    expect(await stat(file)).toMatchObject({ uid: 12_345, gid: 12_346, mode: 0o100640 });
  expect((await readdir(folder.path)).sort()).toEqual(
    [basename(path), basename(real), basename(backup ?? '')].sort(),
  );
  expect(await turnOn(path)).toBeNull();
});

// Guarantee: a read-only file stays read-only; one with a second name is left unchanged and reported.
test('read-only, and a second name', async () => {
  await using folder = await temporaryFolder('settings');
  const path = join(folder.path, 'server.properties');
  await writeFile(path, off);
  await link(path, join(folder.path, 'second'));
  await expect(turnOn(path)).rejects.toThrow('has a second name');
  expect(await readFile(path, 'utf8')).toBe(off);
  await rm(join(folder.path, 'second'));
  await chmod(path, 0o444);
  await turnOn(path);
  expect((await stat(path)).mode & 0o777).toBe(0o444);
  expect(await read(path)).toMatchObject({ isOn: true });
  expect(await readdir(folder.path)).toHaveLength(2);
});

// Guarantee: two changes within a second keep a copy of each earlier file.
test('a second copy', async () => {
  await using folder = await temporaryFolder('settings');
  const path = join(folder.path, 'server.properties');
  for (const copies of [1, 2]) {
    await writeFile(path, off);
    await turnOn(path);
    expect(await readdir(folder.path)).toHaveLength(1 + copies);
  }
});

// Guarantee: a file that the game is still writing is read once it is complete.
test('half written', async () => {
  await using folder = await temporaryFolder('settings');
  const path = join(folder.path, 'server.properties');
  await writeFile(path, '');
  const reading = read(path);
  for (let length = 1; length < 4; length += 1) {
    await delay(60);
    await writeFile(path, `rcon.port=${'7'.repeat(length)}`);
  }
  expect(await reading).toMatchObject({ port: 777 });
});

// Guarantee: anything that cannot be a settings file is refused with a message, immediately, and stays unchanged.
test('refused', async () => {
  await using folder = await temporaryFolder('settings');
  const path = (name: string) => join(folder.path, name);
  await mkdir(path('folder'));
  await writeFile(path('huge'), '');
  await truncate(path('huge'), 2 ** 40);
  await writeFile(path('binary'), Buffer.from([1, 0, 0, 7]));
  await writeFile(path('empty'), '');
  for (const [name, words] of [
    ['folder', 'is not a file'],
    ['huge', 'too large'],
    ['binary', 'unknown encoding'],
    ['empty', 'is empty. Start the game once'],
    ['absent', 'does not exist'],
    ['/dev/zero', 'is not a file'],
  ] as const) {
    const file = name.startsWith('/') ? name : path(name);
    await expect(read(file)).rejects.toThrow(words);
    await expect(turnOn(file)).rejects.toThrow(words);
  }
  await expect(readSettingsFile(path('empty'), gameOf('palworld').layout.settings)).rejects.toThrow(
    'copy the contents of DefaultPalWorldSettings.ini',
  );
  expect((await readdir(folder.path)).sort()).toEqual(['binary', 'empty', 'folder', 'huge']);
});
