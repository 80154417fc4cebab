import { chmod, lchown, lstat, mkdir, readFile, realpath, rename, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import type { TaskProgress } from '#contracts/agent-tasks.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { type ManifestEntry, readManifest } from './backup-folder.ts';
import { holdBackups, type SavesSettings } from './backup-saves.ts';
import { unpackFile } from './copy-file.ts';
import { demandAnswer, isInside } from './save-places.ts';
import { SavesError } from './saves-error.ts';

const swap = z.object({
  place: z.string(),
  /** Holds what comes. */
  fresh: z.string(),
  /** Holds what was there. */
  before: z.string(),
});

/**
 * - `unpacking`: nothing of the game's was touched
 * - `swapping`: all is unpacked and checked; the rest is renames, which whoever finds this finishes
 * - `swapped`: what was there before waits for a confirmation
 */
const journal = z.object({
  stage: z.enum(['unpacking', 'swapping', 'swapped']),
  backup: z.string(),
  at: z.iso.datetime(),
  swaps: z.array(swap).min(1),
});
export type RestoreJournal = z.infer<typeof journal>;

export interface RestoreOptions {
  readonly settings: SavesSettings;
  readonly backup: string;
  /** Null once the game is proven to be stopped; else why not. */
  readonly whyNotStopped: () => Promise<string | null>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
}

const journalPath = (stateFolder: string) => join(stateFolder, 'restore.json');

/** The restore that is under way, or waits for a confirmation. */
export const readRestore = async (stateFolder: string): Promise<RestoreJournal | null> => {
  const text = await readFile(journalPath(stateFolder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : journal.parse(JSON.parse(text));
};

const write = (stateFolder: string, content: RestoreJournal) =>
  writeFileAtomically(journalPath(stateFolder), JSON.stringify(content), 0o600);

/** Puts a backup in the place of the game's worlds; those of before are kept beside them. */
export const restoreSaves = async (options: RestoreOptions): Promise<RestoreJournal> => {
  const { settings, backup, whyNotStopped, signal, onProgress } = options;
  const { stateFolder, backupFolder } = settings;
  await using _held = await holdBackups(backupFolder);
  await demandStopped(whyNotStopped);
  await finishRestore(stateFolder);
  const earlier = await readRestore(stateFolder);
  if (earlier)
    throw new SavesError('An earlier restore waits for your confirmation. Confirm it before the next one.');
  const manifest = await readManifest(backupFolder, backup);
  if (!manifest) throw new SavesError('There is no such backup, or the list of its files is damaged.');
  if (manifest.game !== settings.game) throw new SavesError('That backup is of another game.');
  await demandOwnPlaces(
    settings,
    manifest.places.map(({ folder }) => folder),
  );
  await demandRoom(
    'A restore of the saves',
    manifest.places.map(({ folder, entries }) => ({
      path: dirname(folder),
      bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    })),
  );
  const at = new Date().toISOString();
  const tag = at.slice(0, 19).replaceAll(':', '-');
  const swaps = manifest.places.map(({ folder: place }) => {
    const beside = (what: string) => join(dirname(place), `.${basename(place)}.castellan-${what}-${tag}`);
    return { place, fresh: beside('new'), before: beside('before') };
  });
  const content: RestoreJournal = { stage: 'unpacking', backup, at, swaps };
  await write(stateFolder, content);
  try {
    let done = 0;
    for (const [index, { entries }] of manifest.places.entries()) {
      const fresh = swaps[index]?.fresh;
      if (fresh === undefined) continue;
      await unpack(join(backupFolder, backup, String(index)), fresh, entries, signal, (bytes) => {
        done += bytes;
        onProgress({ step: 'Unpacking the backup', done, total: manifest.bytes });
      });
    }
    await demandStopped(whyNotStopped);
    signal.throwIfAborted();
  } catch (error) {
    await discard(stateFolder, content);
    signal.throwIfAborted();
    throw error;
  }
  await write(stateFolder, { ...content, stage: 'swapping' });
  await finishRestore(stateFolder);
  return { ...content, stage: 'swapped' };
};

/** Ends what a restore that was cut off has begun: forward once all was unpacked, else back. The game must be stopped. */
export const finishRestore = async (stateFolder: string): Promise<void> => {
  const content = await readRestore(stateFolder);
  if (content?.stage === 'unpacking') return discard(stateFolder, content);
  if (content?.stage !== 'swapping') return;
  for (const { place, fresh, before } of content.swaps) {
    if (!(await isThere(fresh))) continue;
    if (await isThere(place)) {
      // A world that the game made while the other one was away is kept, too.
      const kept = (await isThere(before)) ? `${before}-2` : before;
      await whenNotBusy(() => rename(place, kept));
    }
    await whenNotBusy(() => rename(fresh, place));
  }
  await write(stateFolder, { ...content, stage: 'swapped' });
};

/** Deletes what a restore has put aside. @returns false: there is nothing to confirm */
export const confirmRestore = async (settings: SavesSettings): Promise<boolean> => {
  const { stateFolder, backupFolder } = settings;
  await using _held = await holdBackups(backupFolder);
  const content = await readRestore(stateFolder);
  if (content?.stage !== 'swapped') return false;
  for (const { before } of content.swaps)
    for (const path of [before, `${before}-2`])
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
  await rm(journalPath(stateFolder), { force: true });
  return true;
};

const discard = async (stateFolder: string, { swaps }: RestoreJournal): Promise<void> => {
  for (const { fresh } of swaps) await rm(fresh, { recursive: true, force: true, maxRetries: 5 });
  await rm(journalPath(stateFolder), { force: true });
};

const demandStopped = async (whyNotStopped: RestoreOptions['whyNotStopped']) => {
  const why = await whyNotStopped();
  if (why !== null) throw new SavesError(why);
};

/** A backup names folders: only those of this server may be replaced, also where they are gone by now. */
const demandOwnPlaces = async ({ serverFolder, from }: SavesSettings, wanted: readonly string[]) => {
  await demandAnswer(serverFolder);
  const root = await realpath(serverFolder);
  const own = (from ?? []).map((place) => resolve(serverFolder, place));
  for (const place of wanted) {
    const real = await realpath(dirname(place)).catch(() => null);
    const isKnown = own.includes(place) || isInside(root, place);
    if (!isKnown || real !== dirname(place))
      throw new SavesError(
        `The backup is of ${place}, where this server keeps no world now. Name that folder in config.json as saves.from.`,
      );
  }
};

const unpack = async (
  from: string,
  to: string,
  entries: readonly ManifestEntry[],
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> => {
  for (const { path, isFolder, bytes, sha256 } of entries) {
    signal.throwIfAborted();
    const target = join(to, path);
    if (isFolder) {
      await mkdir(target, { recursive: true, mode: 0o700 });
      continue;
    }
    const unpacked = await unpackFile(join(from, path), target, { signal, onBytes, most: bytes }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOSPC' || signal.aborted) throw error;
        throw new SavesError(`The backup's file ${path} is damaged: ${error.message}.`);
      },
    );
    if (unpacked.sha256 !== sha256 || unpacked.bytes !== bytes)
      throw new SavesError(`The backup's file ${path} is damaged: it is not what was copied.`);
  }
  // From the innermost: a folder that may not be written takes no more files.
  for (const entry of entries.toReversed()) await likeBefore(join(to, entry.path), entry);
};

const likeBefore = async (path: string, { mode, uid, gid, mtimeMs }: ManifestEntry): Promise<void> => {
  if (process.platform !== 'win32') {
    // Only root may give files away; others keep those of their own account.
    if (process.getuid?.() === 0) await lchown(path, uid, gid);
    await chmod(path, mode);
  }
  const at = new Date(mtimeMs);
  await utimes(path, at, at);
};

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
