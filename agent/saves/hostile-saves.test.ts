// @module-tag slow

import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import {
  lchown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { RunCommand } from './autosave.ts';
import { backupSaves, type SavesSettings } from './backup-saves.ts';
import { finishRestore } from './finish-restore.ts';
import { confirmRestore, restoreSaves } from './restore-saves.ts';

const isRoot = process.getuid?.() === 0;
/** An account without a name does as well. */
const account = 65_534;
const secretText = 'known to root alone';
const quiet = { signal: new AbortController().signal, onProgress: () => undefined };

const give = async (path: string): Promise<void> => {
  await lchown(path, account, account);
  if ((await lstat(path)).isDirectory()) for (const name of await readdir(path)) await give(join(path, name));
};

/** A server in a folder of another account, and a folder of root's with the same names in it. */
const ownedSaves = async () => {
  const folder = await temporaryFolder('hostile');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const [home, secret] = [join(folder.path, 'home'), join(folder.path, 'secret')];
  const server = join(home, 'server');
  for (const [root, text] of [
    [server, 'of the game'],
    [secret, secretText],
  ] as const)
    for (const name of ['world/level.dat', 'world/region/r.0.0.mca', 'world/region/r.0.1.mca']) {
      await mkdir(join(root, name, '..'), { recursive: true, mode: 0o700 });
      await writeFile(join(root, name), text, { mode: 0o600 });
    }
  await mkdir(join(folder.path, 'state'), { mode: 0o700 });
  await give(home);
  const settings: SavesSettings = {
    game: 'minecraft',
    serverId: 'server-1',
    stateFolder: join(folder.path, 'state'),
    serverFolder: server,
    from: null,
    startCommand: [],
    backupFolder: join(folder.path, 'state/saves'),
    keep: 7,
    days: 30,
    mayPanelSchedule: false,
  };
  return { server, secret, settings, outside: () => everything(secret) };
};

/** With the change time of each, which tells every change of owner, mode and content. */
const everything = async (path: string): Promise<unknown[]> => {
  const facts = await lstat(path);
  const { uid, mode, ino, nlink, ctimeMs } = facts;
  const inner = facts.isDirectory()
    ? await Promise.all((await readdir(path)).sort().map((name) => everything(join(path, name))))
    : [];
  return [{ path, uid, mode, ino, nlink, ctimeMs }, ...inner.flat()];
};

const backUp = (settings: SavesSettings, run: RunCommand | null = null) =>
  backupSaves({ settings, run, ...quiet });
const restore = (settings: SavesSettings, backup: string, spring: (moment: string) => void) => {
  let looks = 0;
  return restoreSaves({
    settings,
    backup,
    signal: quiet.signal,
    onProgress: () => spring('unpacking'),
    async whyNotStopped() {
      looks += 1;
      spring(`look ${looks}`);
      return null;
    },
  });
};
const storedTexts = async ({ backupFolder }: SavesSettings, name: string): Promise<string> => {
  const entries = await readdir(join(backupFolder, name, '0'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async (one) =>
    zstdDecompressSync(await readFile(join(one.parentPath, one.name))).toString(),
  );
  return (await Promise.all(texts)).join('\n');
};
const freshIn = (server: string): string =>
  readdirSync(server).find((name) => name.includes('castellan-new')) ?? '';
const aside = (path: string, target: string) => {
  const place = path.replace(/\/$/, '');
  renameSync(place, `${place}~`);
  symlinkSync(target, place);
};

// Guarantee: a link that appears in place of a folder while worlds are unpacked lets root make, give away or change nothing behind it.
test.skipIf(!isRoot)('a link while the worlds are unpacked', async () => {
  for (const inner of ['', 'region']) {
    const { server, secret, settings, outside } = await ownedSaves();
    // A file that is there already would end the restore at once.
    await rm(join(secret, 'world', inner === '' ? 'region' : 'region/r.0.1.mca'), { recursive: true });
    const { name } = await backUp(settings);
    const before = await outside();
    let isSprung = false;
    const restored = restore(settings, name, (moment) => {
      const fresh = join(server, freshIn(server));
      if (isSprung || moment !== 'unpacking') return;
      isSprung = true;
      aside(join(fresh, inner), join(secret, 'world', inner));
    });
    await restored.catch(() => undefined);
    expect(isSprung).toBe(true);
    expect(await outside()).toEqual(before);
  }
});

// Guarantee: the same for a link in place of the server's folder before the worlds change places, and before the old ones are deleted.
test.skipIf(!isRoot)('a link before the renames and the removal', async () => {
  const { server, secret, settings, outside } = await ownedSaves();
  const { name } = await backUp(settings);
  const before = await outside();
  const restored = restore(settings, name, (moment) => {
    if (moment === 'look 2') aside(server, secret);
  });
  await expect(restored).rejects.toThrow();
  expect(await outside()).toEqual(before);
  await rm(server);
  await rename(`${server}~`, server);
  await finishRestore(settings.stateFolder);
  const kept = (await readdir(server)).find((one) => one.includes('castellan-before'));
  await rename(join(server, kept ?? '', 'region'), join(server, kept ?? '', 'region~'));
  await symlink(join(secret, 'world/region'), join(server, kept ?? '', 'region'));
  await confirmRestore(settings);
  expect(await readdir(server)).toEqual(['world']);
  expect(await outside()).toEqual(before);
});

// Guarantee: nothing of root's gets into a backup by a link or a second name, whenever it appears.
test.skipIf(!isRoot)('links and second names in a backup', async () => {
  const { server, secret, settings, outside } = await ownedSaves();
  await link(join(secret, 'world/level.dat'), join(server, 'world/second'));
  await symlink(join(secret, 'world/level.dat'), join(server, 'world/linked'));
  await symlink(join(secret, 'world'), join(server, 'world/folder'));
  const before = await outside();
  const { notes, files } = await backUp(settings);
  expect(notes).toEqual([expect.stringMatching(/^Links were left out: folder, linked, second\.$/)]);
  expect(files).toBe(3);
  for (const path of ['world/region', 'world', '']) {
    let isSprung = false;
    const spring: RunCommand = async () => {
      if (!isSprung) aside(join(server, path), join(secret, path));
      isSprung = true;
      return { outcome: 'answered', reply: '', truncated: false, sent: true, durationMs: 1 };
    };
    const stored = await backUp(settings, spring).catch(() => null);
    expect(isSprung).toBe(true);
    if (stored) expect(await storedTexts(settings, stored.name)).not.toContain(secretText);
    const place = join(server, path).replace(/\/$/, '');
    rmSync(place);
    renameSync(`${place}~`, place);
  }
  expect(await outside()).toEqual(before);
});
