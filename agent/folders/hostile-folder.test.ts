// @module-tag slow

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { chmod, lchown, link, lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeProfile } from '#games/ark/testing/profile-writer.ts';
import { minecraftSettings } from '#games/minecraft/settings-file.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { checkAgent } from '../check.ts';
import { describeGame } from '../discovery/find-games.ts';
import { readSettingsFile } from '../discovery/settings-on-disk.ts';
import { type FolderWorker, openFolderWorker } from '../mods/folder/folder-worker.ts';
import { inspectProgram } from '../power/program/inspect-program.ts';
import { holderProgram } from '../power/testing/test-power.ts';
import { listBackups, readManifest } from '../saves/backup-folder.ts';
import { backupSaves, type SavesSettings } from '../saves/backup-saves.ts';
import { confirmRestore, restoreSaves } from '../saves/restore-saves.ts';
import { findSavePlaces } from '../saves/save-places.ts';
import { scanFiles } from '../saves/scan-files.ts';
import { batchLeavesGame } from '../setup/leaves-game.ts';
import { survivorHandler } from '../survivors/survivor-handler.ts';
import type { TaskRun } from '../tasks/task-handlers.ts';
import { openRealFolder } from './opened-folder.ts';

const isRoot = process.getuid?.() === 0;
/** The account that no file belongs to; every machine has it. */
const account = 65_534;
const steam = '76561198000000001';
const backup = '2026-01-01T00-00-00Z';

/** A folder of another account, with one of root's beside it. */
const hostile = async () => {
  const folder = await temporaryFolder('hostile');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await chmod(folder.path, 0o755);
  const [server, secret] = [join(folder.path, 'server'), join(folder.path, 'secret')];
  for (const path of [server, secret]) await mkdir(path, { mode: 0o700 });
  await lchown(server, account, account);
  /** Makes the folders on the way, for the account. */
  const way = async (path: string): Promise<void> => {
    const above = dirname(path);
    if (above === server || (await lstat(above).catch(() => null))) return;
    await way(above);
    await mkdir(above);
    await lchown(above, account, account);
  };
  return { folder: folder.path, server, secret, way };
};

interface Reader {
  /** Where the trap is, in the server's folder. */
  readonly file: string;
  /** As root has it: what a reader shows of it tells that the trap worked. */
  readonly content: string | Buffer;
  /** Also where the trap is the folder around the file. */
  readonly isInFolder?: boolean;
  readonly read: (server: string, folder: string, worker: FolderWorker) => Promise<unknown>;
  readonly shows: (result: unknown) => boolean;
}

const says = (text: string) => (result: unknown) => (JSON.stringify(result) ?? '').includes(text);
const properties = 'level-name=root-alone\nenable-rcon=true\nrcon.port=25999\nrcon.password=root-alone\n';
const stored = {
  version: 1,
  game: 'minecraft',
  serverId: 'root-alone',
  at: '2026-01-01T00:00:00.000Z',
  places: [{ folder: '/root-alone', entries: [] }],
  bytes: 1,
  storedBytes: 1,
  notes: [],
};

/** What of the agent reads a server's folder, or one that its owner named there. Backups, restores and the log have tests of their own. */
const readers: Readonly<Record<string, Reader>> = {
  'settings of the game': {
    file: 'server.properties',
    content: properties,
    read: (server) => readSettingsFile(join(server, 'server.properties'), minecraftSettings),
    shows: says('25999'),
  },
  discovery: {
    file: 'server.properties',
    content: properties,
    read: (server) => describeGame('minecraft', server, []),
    shows: says('25999'),
  },
  'places of the worlds': {
    file: 'server.properties',
    content: properties,
    read: (server) => findSavePlaces('minecraft', server, null, async () => []),
    shows: says('root-alone'),
  },
  'program of the game': {
    file: 'run.sh',
    content: '#!/root-alone\n',
    read: (server) => inspectProgram(join(server, 'run.sh'), server),
    shows: says('root-alone'),
  },
  'batch file of the game': {
    file: 'start.bat',
    content: 'start root-alone\n',
    read: (server) => batchLeavesGame(join(server, 'start.bat')),
    shows: (result) => result === true,
  },
  'log that --check looks at': {
    file: 'latest.log',
    content: 'root-alone\n',
    read: async (server, folder) => {
      const config = {
        game: 'minecraft',
        console: null,
        server: null,
        stateFolder: folder,
        useWebSocket: false,
      };
      const rest = { apiUrl: new URL('http://127.0.0.1:1'), certificatePins: [], serverId: 'x' };
      const logFile = join(server, 'latest.log');
      return checkAgent({ ...config, ...rest, logFile } as never, join(folder, 'secret'));
    },
    shows: says('latest.log can be read'),
  },
  survivors: {
    file: `ShooterGame/Saved/SavedArks/${steam}.arkprofile`,
    content: writeProfile({ version: 1, account: steam, number: 4711n }),
    isInFolder: true,
    async read(server, _folder, worker) {
      await writeFile(join(server, 'ShooterGame/Saved/SavedArks/TheIsland.ark'), 'world').catch(
        () => undefined,
      );
      const handler = survivorHandler({ folder: server, command: [] }, worker);
      return handler.run({ kind: 'survivor-number', platformId: `steam:${steam}` }, {} as TaskRun);
    },
    shows: says('4711'),
  },
  'list of backups': {
    file: `${backup}/summary.json`,
    content: JSON.stringify({ ...stored, name: backup, files: 1 }),
    isInFolder: true,
    read: (server) => listBackups(server),
    shows: says(backup),
  },
  'list of a backup': {
    file: `${backup}/backup.json`,
    content: JSON.stringify(stored),
    isInFolder: true,
    read: (server) => readManifest(server, backup),
    shows: says('root-alone'),
  },
};

type Trap = (path: string, target: string) => unknown;
const traps: Readonly<Record<string, Trap>> = {
  async link(path, target) {
    await symlink(target, path);
    await lchown(path, account, account);
  },
  'second name': (path, target) => link(target, path),
  pipe: (path) => execFileSync('mkfifo', [path]),
  device: (path) => symlink('/dev/zero', path),
  socket: (path) =>
    new Promise<void>((resolve) => {
      const server = createServer();
      onTestFinished(() => void server.close());
      server.listen(path, resolve);
    }),
};

// Guarantee: whatever reads a server's folder for a root agent shows nothing through a link or a second name there that the
// folder's account could not read, and waits for no pipe, socket or device.
test.skipIf(!isRoot).each(Object.entries(readers))('%s', async (name, reader) => {
  const { folder, server, secret, way } = await hostile();
  const [trap, target] = [join(server, reader.file), join(secret, reader.file)];
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, reader.content, { mode: 0o700 });
  await using worker = openFolderWorker({ server: null, stateFolder: join(folder, 'state') }, holderProgram);
  const result = () => reader.read(server, folder, worker).catch((error: Error) => error.message);
  await way(trap);
  for (const [kind, set] of Object.entries(traps)) {
    await set(trap, target);
    expect(reader.shows(await result()), `${name}: ${kind}`).toBe(false);
    await rm(trap);
  }
  if (reader.isInFolder) {
    await rm(dirname(trap), { recursive: true });
    await traps.link?.(
      dirname(trap),
      join(
        '..',
        ...dirname(reader.file)
          .split('/')
          .slice(1)
          .map(() => '..'),
        'secret',
        dirname(reader.file),
      ),
    );
    expect(reader.shows(await result()), `${name}: folder`).toBe(false);
    await rm(dirname(trap));
    await way(trap);
  }
  if (name === 'survivors') {
    // The same where root owns the server's folder, and the account only the worlds in it.
    await lchown(server, 0, 0);
    await chmod(server, 0o755);
    await lchown(join(server, 'ShooterGame'), 0, 0);
    await lchown(join(server, 'ShooterGame/Saved'), 0, 0);
    await link(target, trap);
    const start = { by: 'holder', command: ['run.sh'], account: 'nobody' } as const;
    const allow = { power: false, files: false, mods: false };
    const config = { server: { folder: server, start, allow }, stateFolder: join(folder, 'other') } as const;
    await using named = openFolderWorker(config, holderProgram);
    expect(reader.shows(await reader.read(server, folder, named)), `${name}: account`).toBe(false);
    await rm(trap);
    await lchown(server, account, account);
  }
  // It does read what the account could.
  await writeFile(trap, reader.content, { mode: 0o700 });
  await lchown(trap, account, account);
  if (name !== 'places of the worlds') expect(reader.shows(await result()), name).toBe(true);
});

// Guarantee: folders with many entries and odd names are read to their end, and a path that is too deep is named instead of followed.
test('many entries, odd names, deep folders', async () => {
  await using folder = await temporaryFolder('odd');
  const place = join(folder.path, 'world');
  await mkdir(join(place, ...Array.from({ length: 70 }, () => 'd')), { recursive: true });
  for (let count = 0; count < 10_000; count += 1) writeFileSync(join(place, `${count}`), '');
  for (const name of ['line\nend', 'return\r', '..\\up', '\u2028']) await writeFile(join(place, name), 'x');
  await using opened = await openRealFolder(place);
  const { entries, unnamed } = await scanFiles(opened, []);
  expect(entries.filter(({ isFolder }) => !isFolder)).toHaveLength(10_004);
  expect(unnamed).toEqual([expect.stringMatching(/^d(\/d)+$/)]);
  await opened.remove('d');
  expect(await readdir(place)).toHaveLength(10_004);
});

/** Runs as the account: swaps a folder of the world, and the server's own, for links to root's, so many times. */
const attacker = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [server, secret, swaps] = process.argv.slice(1);
  for (let count = 0; count < Number(swaps); count += 1) {
    const path = ['world/region', 'world'][count % 2];
    try {
      renameSync(server + '/' + path, server + '/aside');
      symlinkSync(secret + '/' + path, server + '/' + path);
    } catch {}
    const until = performance.now() + Math.random();
    while (performance.now() < until);
    try { unlinkSync(server + '/' + path); } catch {}
    try { renameSync(server + '/aside', server + '/' + path); } catch {}
  }`;

const everything = async (path: string): Promise<unknown[]> => {
  const facts = await lstat(path);
  const { uid, mode, ino, nlink, ctimeMs } = facts;
  const names = facts.isDirectory() ? (await readdir(path)).sort() : [];
  const inner = await Promise.all(names.map((name) => everything(join(path, name))));
  return [{ path, uid, mode, ino, nlink, ctimeMs }, ...inner.flat()];
};

// Guarantee: a folder that is swapped for a link between two looks, again and again, leads root's backup, restore and removal
// nowhere.
test.skipIf(!isRoot)('a race of swaps', async () => {
  const { folder, server, secret, way } = await hostile();
  for (const name of ['world/level.dat', 'world/region/r.0.0.mca', 'world/region/r.0.1.mca']) {
    await way(join(server, name));
    await writeFile(join(server, name), 'of the game');
    await lchown(join(server, name), account, account);
    await mkdir(dirname(join(secret, name)), { recursive: true });
    await writeFile(join(secret, name), 'root-alone', { mode: 0o600 });
  }
  const settings: SavesSettings = {
    ...{
      game: 'minecraft',
      serverId: 'x',
      from: null,
      startCommand: [],
      keep: 7,
      days: 30,
      mayPanelSchedule: false,
    },
    stateFolder: join(folder, 'state'),
    serverFolder: server,
    backupFolder: join(folder, 'state/saves'),
  };
  await mkdir(settings.stateFolder, { mode: 0o700 });
  const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
  const { name } = await backupSaves({ settings, run: null, ...quiet });
  const before = await everything(secret);
  const args = ['--eval', attacker, server, secret, '20000'];
  const game = spawn(process.execPath, args, { uid: account, gid: account, cwd: '/', stdio: 'ignore' });
  const gone = once(game, 'exit');
  const whyNotStopped = async () => null;
  for (let rounds = 0; game.exitCode === null && rounds < 3; rounds += 1) {
    await backupSaves({ settings, run: null, ...quiet }).catch(() => null);
    await restoreSaves({ settings, backup: name, whyNotStopped, ...quiet }).catch(() => null);
    await confirmRestore(settings).catch(() => null);
  }
  game.kill();
  await gone;
  expect(await everything(secret)).toEqual(before);
  const texts = execFileSync('sh', [
    '-c',
    `find "$1" -type f -size -4k -exec cat {} + | tr -d '\\0'`,
    'sh',
    settings.backupFolder,
  ]);
  expect(texts.toString('latin1')).not.toContain('root-alone');
});
