import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { minecraftSettings } from '#games/minecraft/settings-file.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { turnConsoleOn } from '../discovery/settings-on-disk.ts';
import { removeServers } from '../service/remove-servers.ts';
import { agentHome } from './agent-home.ts';
import { giveFolder } from './as-owner.ts';
import { changeConfig } from './change-config.ts';

const account = 65_534;

/** A data folder that an account owns, and a folder of root's that it cannot enter. */
const openHome = async (folder: string) => {
  await chmod(folder, 0o755);
  const home = agentHome(join(folder, 'home'), {});
  const closed = join(folder, 'closed');
  await mkdir(dirname(home.configPath('one')), { recursive: true });
  for (const path of ['home', 'home/servers', 'home/servers/one'])
    await chown(join(folder, path), account, account);
  await mkdir(join(closed, 'one'), { recursive: true });
  await writeFile(join(closed, 'one', 'config.json'), '{"of":"root"}', { mode: 0o600 });
  await chmod(closed, 0o700);
  return { home, closed, kept: join(closed, 'one', 'config.json') };
};
const ofRoot = { uid: 0, mode: 0o100600 };

// Guarantee: in a folder that another account owns, root does not read, change, give away or delete anything behind a link.
test('links to what is root’s', async () => {
  await using folder = await temporaryFolder('owner');
  const { home, closed, kept } = await openHome(folder.path);
  await changeConfig(home.configPath('one'), { a: 1 });
  expect(await stat(home.configPath('one'))).toMatchObject({ uid: account, gid: account, mode: 0o100600 });

  await rm(home.serverFolder('one'), { recursive: true });
  await symlink(join(closed, 'one'), home.serverFolder('one'));
  await expect(changeConfig(home.configPath('one'), { a: 1 })).rejects.toThrow('EACCES');
  await rm(join(home.folder, 'servers'), { recursive: true });
  await symlink(closed, join(home.folder, 'servers'));
  await expect(removeServers(home, () => undefined)).rejects.toThrow('EACCES');

  const properties = join(home.folder, 'server.properties');
  await symlink(kept, properties);
  const console = { port: 25_575, password: new Secret('long-enough') };
  const change = { path: properties, form: minecraftSettings, console, now: new Date() };
  await expect(turnConsoleOn(change)).rejects.toThrow('may not be read or changed');
  expect(await readFile(kept, 'utf8')).toBe('{"of":"root"}');
  expect(await readdir(join(closed, 'one'))).toEqual(['config.json']);
  expect(await stat(kept)).toMatchObject(ofRoot);
  expect(process.geteuid?.()).toBe(0);
});

// Guarantee: a folder is handed over with all its contents, but nothing behind a link or with a second name.
test('a folder that is given', async () => {
  await using folder = await temporaryFolder('owner');
  const { home, closed, kept } = await openHome(folder.path);
  await writeFile(home.configPath('one'), '{}');
  await symlink(closed, join(home.folder, 'away'));
  await link(kept, join(home.folder, 'second'));
  await giveFolder(home.folder, { uid: 12_345, gid: 12_346 });
  for (const path of [home.folder, home.serverFolder('one'), home.configPath('one')])
    expect(await lstat(path)).toMatchObject({ uid: 12_345, gid: 12_346 });
  expect(await stat(closed)).toMatchObject({ uid: 0 });
  expect(await stat(kept)).toMatchObject(ofRoot);
});

// Guarantee: while the account moves a folder out of the way and puts a link in its place, nothing of root's is given away.
test('a folder that is swapped for a link', async () => {
  await using folder = await temporaryFolder('owner');
  const { home, closed, kept } = await openHome(folder.path);
  const inside = join(home.folder, 'servers', 'swapped');
  const over = new AbortController();
  const swapping = (async () => {
    while (!over.signal.aborted) {
      await mkdir(inside);
      await rmdir(inside);
      await symlink(join(closed, 'one'), inside);
      await rm(inside);
    }
  })();
  for (let given = 0; given < 200; given += 1) await giveFolder(home.folder, { uid: account, gid: account });
  over.abort();
  await swapping;
  expect(await stat(kept)).toMatchObject(ofRoot);
  expect(await stat(dirname(kept))).toMatchObject({ uid: 0 });
});
