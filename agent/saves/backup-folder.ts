import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { gameId } from '#contracts/games.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { syncFolder, syncTree } from '#runtime/disk-sync.ts';
import { readJson } from '#runtime/read-json.ts';

const isWindows = process.platform === 'win32';

/** Whether a backup can contain this path: nothing that leads out of a folder. On Linux `\\` and `:` are ordinary characters. */
export const isInsidePath = (path: string): boolean =>
  path.length <= 4000 &&
  !path.startsWith('/') &&
  path.split('/').every((part) => part !== '..' && part !== '.' && !part.includes('\0')) &&
  !(isWindows && (path.includes('\\') || /^[a-z]:/i.test(path)));

const insidePath = z.string().refine(isInsidePath);

const entry = z.object({
  path: insidePath,
  isFolder: z.boolean(),
  bytes: z.int().nonnegative(),
  mtimeMs: z.number(),
  mode: z.int().nonnegative(),
  uid: z.int().nonnegative(),
  gid: z.int().nonnegative(),
  /** Null for a folder. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
});
export type ManifestEntry = z.infer<typeof entry>;

const manifest = z.object({
  version: z.literal(1),
  game: gameId,
  serverId: z.string(),
  at: z.iso.datetime(),
  /** Each is a folder `0`, `1`, … of the backup. */
  places: z.array(z.object({ folder: z.string().min(1), entries: z.array(entry) })).min(1),
  bytes: z.int().nonnegative(),
  storedBytes: z.int().nonnegative(),
  /** What a reader must know, such as files that the game changed while they were copied. */
  notes: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifest>;

export interface ListedBackup {
  readonly name: string;
  readonly at: string;
  readonly bytes: number;
  readonly storedBytes: number;
  readonly files: number;
  readonly notes: readonly string[];
}

const nameShape = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d{1,3})?$/;
export const isBackupName = (name: string): boolean => nameShape.test(name);

const manifestFile = 'backup.json';
const summaryFile = 'summary.json';
const partialPrefix = '.partial-';

const summary = z.object({
  name: z.string(),
  at: z.iso.datetime(),
  bytes: z.number(),
  storedBytes: z.number(),
  files: z.number(),
  notes: z.array(z.string()),
});

/** A backup that is being made; it is not listed until `finish`. */
export interface PartialBackup {
  readonly path: string;
  finish(manifest: Manifest): Promise<ListedBackup>;
}

export const beginBackup = async (folder: string, at: Date): Promise<PartialBackup> => {
  await removePartials(folder);
  const present = new Set(await namesIn(folder));
  const base = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  let name = base;
  for (let count = 2; present.has(name); count += 1) name = `${base}-${count}`;
  const path = join(folder, `${partialPrefix}${name}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return {
    path,
    async finish(content) {
      const { bytes, storedBytes, notes, places } = content;
      const files = places.flatMap(({ entries }) => entries).filter(({ isFolder }) => !isFolder).length;
      const listed: ListedBackup = { name, at: content.at, bytes, storedBytes, files, notes };
      await writeFileAtomically(join(path, manifestFile), JSON.stringify(content), 0o600);
      await writeFileAtomically(join(path, summaryFile), JSON.stringify(listed), 0o600);
      await syncTree(path);
      await whenNotBusy(() => rename(path, join(folder, name)));
      await syncFolder(folder);
      return listed;
    },
  };
};

/** Removes what an interrupted backup has left; the caller holds the folder. */
export const removePartials = async (folder: string): Promise<void> => {
  for (const name of await readdirOrNone(folder))
    if (leftPrefixes.some((prefix) => name.startsWith(prefix)))
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
};

/** Newest first; a folder without a complete list is not a backup. */
export const listBackups = async (folder: string): Promise<ListedBackup[]> => {
  const listed: ListedBackup[] = [];
  for (const name of await namesIn(folder)) {
    const text = await readFile(join(folder, name, summaryFile), 'utf8').catch(() => null);
    const read = text === null ? null : readJson(summary, text);
    if (read) listed.push({ ...read, name });
  }
  return listed.sort(
    (one, other) => other.at.localeCompare(one.at) || countOf(other.name) - countOf(one.name),
  );
};

/** Counts several in one second. */
const countOf = (name: string): number => Number(/Z-(\d+)$/.exec(name)?.[1] ?? 1);

/** Null: there is no such backup, or its list is damaged. */
export const readManifest = async (folder: string, name: string): Promise<Manifest | null> => {
  if (!isBackupName(name)) return null;
  const text = await readFile(join(folder, name, manifestFile), 'utf8').catch(() => null);
  return text === null ? null : readJson(manifest, text);
};

export interface Keeping {
  readonly keep: number;
  readonly days: number;
}

const removedPrefix = '.removed-';
/** The last prefix is from a process that was killed while it locked the folder. */
const leftPrefixes = [partialPrefix, removedPrefix, '.lock-'];

/** However old: with a clock that is ahead, all of them look old. */
const keptAnyway = 3;

/**
 * Removes backups beyond the number, and the oldest of those beyond the age, one at a time.
 * @param spared the one that was just made, which looks old after the clock was set back
 * @returns the names of the removed ones
 */
export const pruneBackups = async (
  folder: string,
  { keep, days }: Keeping,
  { now, spared }: { readonly now: Date; readonly spared: string },
): Promise<string[]> => {
  const oldestMs = now.getTime() - days * 24 * 60 * 60 * 1000;
  const others = (await listBackups(folder)).filter(({ name }) => name !== spared);
  const aged = others
    .slice(keptAnyway - 1, Math.max(0, keep - 1))
    .findLast(({ at }) => Date.parse(at) < oldestMs);
  const doomed = [...others.slice(Math.max(0, keep - 1)), ...(aged ? [aged] : [])];
  for (const { name } of doomed) {
    // Renamed first, so that an interrupted removal leaves no half backup in the list.
    const path = join(folder, `${removedPrefix}${name}`);
    await whenNotBusy(() => rename(join(folder, name), path));
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
  return doomed.map(({ name }) => name);
};

const namesIn = async (folder: string) => (await readdirOrNone(folder)).filter(isBackupName);

const readdirOrNone = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
