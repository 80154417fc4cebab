import { opendir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type GameId, gameIds } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { answers } from '#runtime/answering-folder.ts';
import { waitAtMost } from '#runtime/within.ts';
import { withoutEscapes } from './containers.ts';

/** File systems whose answers come from elsewhere: another machine or a program. */
const networkFileSystems =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|9p|ceph|glusterfs|lustre|afs|sshfs|davfs|fuse|fuseblk|fuse\..+)$/;

/** Mounts that may hang, since something else answers for them (proc_pid_mountinfo(5)); empty on other systems than Linux. */
const networkDrives = async (): Promise<ReadonlySet<string>> => {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const drives = mounts.split('\n').flatMap((line) => {
    const [place = '', kind = ''] = line.split(' - ');
    const path = place.split(' ')[4];
    return path !== undefined && networkFileSystems.test(kind.split(' ')[0] ?? '')
      ? [withoutEscapes(path)]
      : [];
  });
  return new Set(drives);
};

interface FoundFolder {
  readonly game: GameId;
  readonly folder: string;
}

export interface SearchOptions {
  /** Where to start; by default the usual places of this system. */
  readonly places?: readonly string[];
  readonly games?: readonly GameId[];
  readonly maxDepth?: number;
  /** The most folders to look into. */
  readonly maxFolders?: number;
  readonly maxMs?: number;
}

/** Below /home, a server installed by Steam is this deep: <name>/.steam/steam/steamapps/common/<server>. */
const usualDepth = 6;
const mostFolders = 5000;
const mostMs = 5000;
/** For a network drive; one that does not answer is skipped. */
const driveMs = 1000;
/** The most entries to read of one folder: the rest of a larger one is not looked at. */
const mostEntries = 2000;

/**
 * Places of Steam, LinuxGSM (`~/serverfiles`, below the home folders), Pterodactyl, Pelican, AMP, MCSManager, Crafty, PufferPanel, the
 * volumes of containers, and where people put servers by hand.
 */
const linuxPlaces = (): string[] => [
  homedir(),
  '/home',
  '/srv',
  '/opt',
  '/var/lib/pterodactyl/volumes',
  '/var/lib/pelican/volumes',
  '/home/amp/.ampdata/instances',
  '/opt/mcsmanager/daemon/data/InstanceData',
  '/var/opt/minecraft/crafty/crafty-4/servers',
  '/var/lib/pufferpanel/servers',
  '/var/lib/docker/volumes',
  '/var/lib/containers/storage/volumes',
  '/var/games',
  '/root',
  '/mnt',
  '/data',
];

const windowsPlaces = (): string[] =>
  ['C:', 'D:', 'E:', 'F:'].flatMap((drive) => [
    ...[
      'steamcmd',
      'SteamLibrary',
      'games',
      'gameservers',
      'servers',
      'AMPDatastore\\Instances',
      'TCAFiles\\Servers',
      'MCSManager\\daemon\\data\\InstanceData',
      'WindowsGSM\\servers',
    ].map((name) => `${drive}\\${name}`),
    `${drive}\\Program Files (x86)\\Steam\\steamapps\\common`,
    ...gameIds.flatMap((id) => [...gameOf(id).layout.folderNames, id].map((name) => `${drive}\\${name}`)),
  ]);

/** Folders that contain no server, and take long to walk through. */
const passedBy = new Set([
  'node_modules',
  '.git',
  '.cache',
  'proc',
  'sys',
  'dev',
  'lost+found',
  'backups',
  'world',
  'region',
  'libraries',
  'plugins',
  'mods',
  'Content',
]);

/** Walks the usual places breadth first and stops at its limits; the answer is what it has found by then. */
export const findGameFolders = async (options: SearchOptions = {}): Promise<FoundFolder[]> => {
  const { maxDepth = usualDepth, maxFolders = mostFolders, maxMs = mostMs, games = gameIds } = options;
  const places = options.places ?? (process.platform === 'win32' ? windowsPlaces() : linuxPlaces());
  const found: FoundFolder[] = [];
  const search = { stopped: false };
  const walk = walkThrough({ places, games, maxDepth, maxFolders, search, found });
  // A network drive that falls silent in the middle delays only this search.
  await waitAtMost(maxMs, walk);
  search.stopped = true;
  return [...found];
};

const walkThrough = async ({
  places,
  games,
  maxDepth,
  maxFolders,
  search,
  found,
}: {
  readonly places: readonly string[];
  readonly games: readonly GameId[];
  readonly maxDepth: number;
  readonly maxFolders: number;
  readonly search: { readonly stopped: boolean };
  readonly found: FoundFolder[];
}): Promise<void> => {
  const queue = places.map((folder) => ({ folder, depth: 0 }));
  const visited = new Set<string>();
  const drives = await networkDrives();
  for (const { folder, depth } of queue) {
    if (visited.size >= maxFolders || search.stopped) break;
    if (drives.has(folder) && !(await answers(folder, driveMs))) continue;
    // The real path breaks loops of links, and merges folders that two paths lead to.
    const path = await realpath(folder).catch(() => null);
    if (path === null || visited.has(path)) continue;
    visited.add(path);
    const entries = await entriesIn(path);
    if (entries === null) continue;
    const likely = games.filter((id) =>
      gameOf(id).layout.marks.some(([mark]) => entries.names.has(firstOf(mark))),
    );
    const game = likely.length === 0 ? null : await gameOfFolder(path, likely);
    if (game !== null) found.push({ game, folder: path });
    else if (depth < maxDepth)
      for (const name of entries.folders) queue.push({ folder: join(path, name), depth: depth + 1 });
  }
};

const firstOf = (mark: string | undefined): string => mark?.split('/')[0] ?? '';

/** Null when it is missing or may not be read. */
const entriesIn = async (folder: string) => {
  const names = new Set<string>();
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(folder, { bufferSize: 256 })) {
      if (names.size >= mostEntries) break;
      names.add(entry.name);
      const mayBe = entry.isDirectory() || entry.isSymbolicLink();
      if (mayBe && !passedBy.has(entry.name)) folders.push(entry.name);
    }
  } catch {
    return null;
  }
  return { names, folders: folders.sort() };
};

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The game whose server is in this folder; null for any other folder. */
export const gameOfFolder = async (
  folder: string,
  games: readonly GameId[] = gameIds,
): Promise<GameId | null> => {
  for (const id of games) {
    const { marks, foreignMarks } = gameOf(id).layout;
    const has = async (files: readonly string[]) =>
      (await Promise.all(files.map((file) => isThere(join(folder, file))))).every(Boolean);
    const groups = await Promise.all(marks.map(has));
    if (!groups.includes(true)) continue;
    const foreign = await Promise.all(foreignMarks.map((file) => isThere(join(folder, file))));
    if (!foreign.includes(true)) return id;
  }
  return null;
};
