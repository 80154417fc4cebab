import * as z from 'zod';
import { gameId } from '#contracts/servers/games.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { type DatedAhead, isDatedAhead } from '#runtime/backup/dated-ahead.ts';
import { syncFolder, syncTree } from '#runtime/disk-sync.ts';
import { readJson } from '#runtime/read-json.ts';
import { noneOrFault, type OpenedFolder, openNamedFolder } from '../folders/opened-folder.ts';

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
const isBackupName = (name: string): boolean => nameShape.test(name);

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
interface PartialBackup extends AsyncDisposable {
  readonly folder: OpenedFolder;
  finish(manifest: Manifest): Promise<ListedBackup>;
  discard(): Promise<void>;
}

export const beginBackup = async (path: string, at: Date): Promise<PartialBackup> => {
  await using opened = new AsyncDisposableStack();
  const outer = opened.use(await openNamedFolder(path, true));
  await removePartials(path);
  const present = new Set(await namesIn(outer));
  const base = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  let name = base;
  for (let count = 2; present.has(name); count += 1) name = `${base}-${count}`;
  const partialName = `${partialPrefix}${name}`;
  const folder = opened.use(await outer.createFolder(partialName));
  const kept = opened.move();
  return {
    folder,
    async finish(content) {
      const { bytes, storedBytes, notes, places } = content;
      const files = places.flatMap(({ entries }) => entries).filter(({ isFolder }) => !isFolder).length;
      const listed: ListedBackup = { name, at: content.at, bytes, storedBytes, files, notes };
      await writeFileAtomically(folder.path(manifestFile), JSON.stringify(content), 0o600);
      await writeFileAtomically(folder.path(summaryFile), JSON.stringify(listed), 0o600);
      await syncTree(folder.path('.'));
      await outer.rename(partialName, name);
      await syncFolder(outer.path('.'));
      return listed;
    },
    discard: () => outer.remove(partialName),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
};

/** Removes what an interrupted backup has left; the caller holds the folder. */
export const removePartials = async (path: string): Promise<void> => {
  await using folder = await openNamedFolder(path).catch(noneOrFault);
  for (const name of (await folder?.names()) ?? [])
    if (leftPrefixes.some((prefix) => name.toString().startsWith(prefix))) await folder?.remove(name);
};

/** Newest first; a folder without a complete list is not a backup. */
export const listBackups = async (path: string): Promise<ListedBackup[]> => {
  await using folder = await openNamedFolder(path).catch(noneOrFault);
  if (folder === null) return [];
  const listed: ListedBackup[] = [];
  for (const name of await namesIn(folder)) {
    const text = await readIn(folder, name, summaryFile);
    const read = text === null ? null : readJson(summary, text);
    if (read) listed.push({ ...read, name });
  }
  return listed.sort(
    (one, other) => other.at.localeCompare(one.at) || countOf(other.name) - countOf(one.name),
  );
};

const readIn = async (folder: OpenedFolder, name: string, file: string): Promise<string | null> => {
  try {
    await using backup = await folder.openFolder(name);
    await using opened = await backup.openFile(file);
    return await opened.readFile('utf8');
  } catch {
    return null;
  }
};

/** Counts several in one second. */
const countOf = (name: string): number => Number(/Z-(\d+)$/.exec(name)?.[1] ?? 1);

/** Null: there is no such backup, or its list is damaged. */
export const readManifest = async (path: string, name: string): Promise<Manifest | null> => {
  if (!isBackupName(name)) return null;
  await using folder = await openNamedFolder(path).catch(noneOrFault);
  const text = folder && (await readIn(folder, name, manifestFile));
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
const dayMs = 24 * 60 * 60 * 1000;

export interface Pruning {
  readonly now: Date;
  /** The one that was just made, which looks old after the clock was set back. */
  readonly spared: string;
  /** Those that are dated ahead of now, or were: see `notesAfter`. */
  readonly seenAhead?: DatedAhead;
  /** The clock was set under this process, so that it does not tell how old a backup is. Default false. */
  readonly wasClockSet?: boolean;
}

/**
 * Removes backups beyond the number, and the oldest of those beyond the age, one at a time. One that is dated ahead of now, or was,
 * is not counted, and stays until `keep` others are dated later: the clock may have been behind when it was seen. Beyond a gap of more than `days` no age is believed: a clock that was
 * put ahead makes the same gap.
 * @returns the names of the removed ones
 */
export const pruneBackups = async (
  path: string,
  { keep, days }: Keeping,
  { now, spared, seenAhead = {}, wasClockSet = false }: Pruning,
): Promise<string[]> => {
  const nowMs = now.getTime();
  const isOlder = (at: string, ms: number) => Date.parse(at) < ms - days * dayMs;
  const listed = await listBackups(path);
  const all = listed.filter(({ name }) => name !== spared);
  const others = all.filter(({ name, at }) => !isDatedAhead({ name, takenAt: at }, seenAhead, nowMs));
  const gap = others.findIndex(({ at }, index) =>
    isOlder(at, Date.parse(others[index - 1]?.at ?? '') || nowMs),
  );
  const believed = wasClockSet ? [] : others.slice(0, gap === -1 ? others.length : gap);
  const kept = others.slice(0, Math.max(0, keep - 1));
  const aged = believed.slice(keptAnyway - 1, kept.length).findLast(({ at }) => isOlder(at, nowMs));
  // Of those that stay, the one that was just made among them.
  const staying = [...listed.filter(({ name }) => name === spared), ...kept].map(({ at }) => at).sort();
  const oldest = staying.length < keep ? '' : (staying[0] ?? '');
  const misdated = all.filter(({ name, at }) => name in seenAhead && at < oldest);
  const doomed = [...others.slice(kept.length), ...(aged ? [aged] : []), ...misdated];
  await using folder = await openNamedFolder(path);
  for (const { name } of doomed) {
    // Renamed first, so that an interrupted removal leaves no half backup in the list.
    await folder.rename(name, `${removedPrefix}${name}`);
    await folder.remove(`${removedPrefix}${name}`);
  }
  return doomed.map(({ name }) => name);
};

const namesIn = async (folder: OpenedFolder): Promise<string[]> =>
  (await folder.names()).map(String).filter(isBackupName);
