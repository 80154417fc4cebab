import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { xdgAutostart } from './autostart.ts';

// Guarantee: off until someone turns it on; turned on twice and off twice, it leaves nothing behind.
test('on and off', async () => {
  await using config = await temporaryFolder('autostart');
  const folder = join(config.path, 'a new folder');
  const autostart = xdgAutostart(folder, ['/opt/castellan/castellan', '--hidden']);
  expect(await autostart.isOn()).toBe(false);
  await autostart.set(false);
  await autostart.set(true);
  await autostart.set(true);
  expect(await autostart.isOn()).toBe(true);
  expect(await readdir(folder)).toEqual(['castellan.desktop']);
  await autostart.set(false);
  await autostart.set(false);
  expect(await autostart.isOn()).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

// Guarantee: what the user turned off in the system's own settings counts as off.
test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('%s', async (line) => {
  await using config = await temporaryFolder('autostart');
  await writeFile(join(config.path, 'castellan.desktop'), `[Desktop Entry]\nExec=castellan\n${line}\n`);
  expect(await xdgAutostart(config.path, ['castellan']).isOn()).toBe(false);
});

// Guarantee: a program in any folder is started from there: each word is quoted as the specification says.
test.each([
  ['/home/maría/My Games/castellan', '"/home/maría/My Games/castellan" "--hidden"'],
  ['/opt/100%/castellan', '"/opt/100%%/castellan" "--hidden"'],
  ['/opt/a"b/$HOME/castellan', '"/opt/a\\\\"b/\\\\$HOME/castellan" "--hidden"'],
  ['/opt/a\\b', '"/opt/a\\\\\\\\b" "--hidden"'],
])('%s', async (program, words) => {
  await using config = await temporaryFolder('autostart');
  await xdgAutostart(config.path, [program, '--hidden']).set(true);
  const text = await readFile(join(config.path, 'castellan.desktop'), 'utf8');
  expect(/^Exec=(.*)$/m.exec(text)?.[1]).toBe(words);
});
