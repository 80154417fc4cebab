import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, lchown, lstat, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { ModsChange } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { ModFolder } from '#games/mods-layout.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { syncFile } from '#runtime/disk-sync.ts';
import { isInside } from '../saves/save-places.ts';
import { type Move, move } from './change-journal.ts';
import { demandRootAlone } from './folder/root-folder.ts';
import { type ModsManifest, modsManifest, type OwnedFile, type OwnedMod } from './manifest.ts';
import { ModsError } from './mods-error.ts';
import type { StagedMod } from './staged-mod.ts';

export interface PlanOptions {
  /** The server's folder, without links. */
  readonly root: string;
  readonly game: GameId;
  readonly manifest: ModsManifest;
  readonly change: ModsChange;
  readonly staged: readonly StagedMod[];
  readonly folders: readonly ModFolder[];
  /** The folder of this change; on the same disk as the server's folder. */
  readonly folder: string;
  readonly at: string;
}

export const plannedMoves = z.object({
  moves: z.array(move),
  made: z.array(z.string()),
  next: modsManifest,
  notes: z.array(z.string()),
});
type PlannedMoves = z.infer<typeof plannedMoves>;

/**
 * Which files of the server's folder are swapped, based on its current content.
 * @throws {ModsError} when two mods contain the same file, or a file that is not ours is in the way
 */
export const planMoves = async (options: PlanOptions): Promise<PlannedMoves> => {
  const { root, manifest, change, staged, folder, at: since } = options;
  const gone = new Set([...change.remove, ...change.put.map(({ key }) => key)]);
  const leaving = manifest.items.filter(({ key }) => gone.has(key));
  const staying = manifest.items.filter(({ key }) => !gone.has(key));
  const notes = staged.flatMap((mod) => mod.notes);
  const moves: Move[] = [];
  const made = new Set<string>();
  const adopted = await adoptFiles(options, since);
  const owners = new Map<string, string>();
  for (const { name, files } of [...staying, ...adopted])
    for (const { path } of files) owners.set(sameName(path), name);
  const ours = new Map(leaving.flatMap(({ files }) => files).map((file) => [sameName(file.path), file]));

  let aside = 0;
  const asideFor = (place: string, isChanged: boolean): Pick<Move, 'before' | 'kept'> => ({
    before: join(folder, 'old', String(aside++)),
    kept: isChanged ? keptBeside(place, `.castellan-kept-${since.replaceAll(':', '-')}`, aside) : null,
  });
  const coming: OwnedMod[] = [];
  for (const { item, files } of staged) {
    const owned: OwnedFile[] = [];
    for (const { path, bytes, sha512, fresh, isSettings } of files) {
      const owner = owners.get(sameName(path));
      if (owner !== undefined && isSettings) {
        notes.push(`${path} belongs to ${owner} and stays.`);
        continue;
      }
      if (owner !== undefined) throw new ModsError(`${item.name} and ${owner} both bring ${path}.`);
      const place = await placeIn(root, folder, path, made);
      const alike = ours.get(sameName(path));
      const known =
        alike && (alike.path === path || (await isOneFile(place, join(root, alike.path))))
          ? alike
          : undefined;
      const present = await hashOf(place);
      if (present !== null && !known) {
        if (!isSettings)
          throw new ModsError(
            `${path} is in the way of ${item.name} and is not a file of Castellan's. Move it away, or adopt it.`,
          );
        notes.push(`${path} was there already and stays.`);
        continue;
      }
      owners.set(sameName(path), item.name);
      // It is another file on a case-sensitive disk: it is removed, since the new set does not contain it.
      if (known) ours.delete(sameName(path));
      owned.push({ path, bytes, sha512 });
      if (present === sha512) continue;
      const isChanged = present !== null && present !== known?.sha512;
      if (isChanged) notes.push(`${path} was changed by hand; what it was is kept beside it.`);
      moves.push({
        place,
        fresh,
        ...(present === null ? { before: null, kept: null } : asideFor(place, isChanged)),
      });
    }
    coming.push({ ...item, since, files: owned });
  }
  for (const { path, sha512 } of ours.values()) {
    const place = await placeIn(root, folder, path, made);
    const present = await hashOf(place);
    if (present === null) continue;
    if (present !== sha512) notes.push(`${path} was changed by hand; what it was is kept beside it.`);
    moves.push({ place, fresh: null, ...asideFor(place, present !== sha512) });
  }
  const items = [...staying, ...adopted, ...coming];
  moves.push(...(await idMoves(options, leaving, items)));
  return {
    moves,
    made: [...made].filter((path) =>
      moves.some(({ place, fresh }) => fresh !== null && place.startsWith(path + sep)),
    ),
    next: { version: 1, revision: manifest.revision + 1, items },
    notes,
  };
};

/** In bytes, on every file system. */
const longestName = 255;

/** A long name is cut, so a number has to distinguish such files. */
const keptBeside = (place: string, ending: string, number: number): string => {
  if (Buffer.byteLength(basename(place) + ending) <= longestName) return place + ending;
  const numbered = `-${number}${ending}`;
  let name = basename(place);
  while (Buffer.byteLength(name + numbered) > longestName) name = name.slice(0, -1).toWellFormed();
  return join(dirname(place), name + numbered);
};

/** A plan is made with the account's rights, and executed by the agent, which also works outside the server's folder. */
export const demandInside = (root: string, { moves, made }: Pick<PlannedMoves, 'moves' | 'made'>): void => {
  const paths = moves.flatMap(({ place, fresh, before, kept }) => [place, fresh, before, kept]);
  const outside = [...paths, ...made].find((path) => path !== null && !isInside(root, path));
  if (outside !== undefined) throw new ModsError(`${outside} is no path below the server's folder.`);
};

/** Compares names like Windows does. */
const sameName = (path: string): string => path.normalize('NFC').toLowerCase();

const adoptFiles = async (options: PlanOptions, since: string): Promise<OwnedMod[]> => {
  const { change, manifest, root, folder, folders } = options;
  const owned = new Set(manifest.items.flatMap(({ files }) => files.map(({ path }) => sameName(path))));
  return Promise.all(
    change.adopt.map(async ({ path, sha512, item }) => {
      const isMod = folders.some(
        ({ path: into, holds }) =>
          'files' in holds && dirname(path) === into && path.toLowerCase().endsWith(holds.files),
      );
      const place = isMod ? await placeIn(root, folder, path, new Set()) : null;
      if (place === null || owned.has(sameName(path)) || (await hashOf(place)) !== sha512)
        throw new ModsError(`${path} has changed or gone since it was listed. Look at the list again.`);
      return { ...item, since, files: [{ path, bytes: (await lstat(place)).size, sha512 }] };
    }),
  );
};

/**
 * The place of one of our paths on disk; no link on the way is followed.
 * @param made collects the folders that do not exist yet
 */
const placeIn = async (root: string, folder: string, path: string, made: Set<string>): Promise<string> => {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..') || path.includes('\\'))
    throw new ModsError(`${path} is no path below the server's folder.`);
  let parent = root;
  for (const part of parts.slice(0, -1)) {
    parent = join(parent, part);
    const facts = await lstat(parent).catch(ifAbsent(null));
    if (facts === null) made.add(parent);
    else if (!facts.isDirectory() || (await realpath(parent)) !== parent)
      throw new ModsError(
        `${parent} is a link or no folder. Mods are changed only in the server's own folders.`,
      );
    else if (facts.dev !== (await lstat(folder)).dev)
      throw new ModsError(
        `${parent} is on another disk than the server's folder. Files cannot change places between disks at once.`,
      );
    else demandRootAlone(parent, facts);
  }
  return join(parent, basename(path));
};

const isOneFile = async (one: string, other: string): Promise<boolean> => {
  const [first, second] = await Promise.all(
    [one, other].map((path) => lstat(path, { bigint: true }).catch(() => null)),
  );
  return Boolean(first && second && first.dev === second.dev && first.ino === second.ino);
};

/** Null: there is nothing. @throws {ModsError} for anything but a file */
const hashOf = async (path: string): Promise<string | null> => {
  const facts = await lstat(path).catch(ifAbsent(null));
  if (facts === null) return null;
  if (!facts.isFile()) throw new ModsError(`${path} is in the way: it is no plain file.`);
  const hash = createHash('sha512');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
};

export const idOf = ({ key }: { readonly key: string }): string => key.slice(key.indexOf(':') + 1);

const isId = ({ form }: OwnedMod): boolean => form === 'id';

/** The ids of a set that the game itself downloads, in order. */
export const idsOf = (items: readonly OwnedMod[]): string[] => items.filter(isId).map(idOf);

/** The settings file with other ids in it. The list for a start command is the agent's own (`command-ids.ts`). */
const idMoves = async (
  { root, game, folder }: PlanOptions,
  leaving: readonly OwnedMod[],
  items: readonly OwnedMod[],
): Promise<Move[]> => {
  const wanted = idsOf(items);
  const dropped = new Set(idsOf(leaving));
  if (wanted.length === 0 && dropped.size === 0) return [];
  const { ids } = gameOf(game).mods;
  if (ids === null) throw new ModsError('This game takes no mods by their ids.');
  if (ids.at === 'command') return [];
  const place = await settingsFile(root, folder, ids.files);
  const content = await readFile(place);
  const present = ids.read(content);
  const kept = present.filter((id) => !dropped.has(id) || wanted.includes(id));
  const after = [...kept, ...wanted.filter((id) => !kept.includes(id))];
  if (after.join() === present.join()) return [];
  const fresh = join(folder, 'new', 'settings');
  const { mode, uid, gid } = await stat(place);
  await writeFile(fresh, ids.write(content, after), { mode: mode & 0o777 });
  await syncFile(fresh);
  await likeBefore(fresh, { mode, uid, gid });
  return [{ place, fresh, before: join(folder, 'old', 'settings'), kept: null }];
};

const likeBefore = async (
  path: string,
  { mode, uid, gid }: { readonly mode: number; readonly uid: number; readonly gid: number },
): Promise<void> => {
  if (process.platform === 'win32') return;
  if (process.geteuid?.() === 0) await lchown(path, uid, gid);
  await chmod(path, mode & 0o777);
};

/** @throws {ModsError} */
const settingsFile = async (root: string, folder: string, files: readonly string[]): Promise<string> => {
  for (const path of files) {
    const place = await placeIn(root, folder, path, new Set());
    if (
      await lstat(place).then(
        (facts) => facts.isFile(),
        () => false,
      )
    )
      return place;
  }
  throw new ModsError(`The game has no ${files[0] ?? 'settings file'} yet. Start it once, then try again.`);
};
