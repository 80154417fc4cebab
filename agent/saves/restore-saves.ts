import { chmod, lchown, lstat, mkdir, realpath, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { TaskProgress } from '#contracts/agent-tasks.ts';
import { accountName } from '#runtime/account-name.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { type Manifest, type ManifestEntry, readManifest } from './backup-folder.ts';
import { holdBackups, type SavesSettings } from './backup-saves.ts';
import { unpackFile } from './copy-file.ts';
import { asideOf, changePlaces, discardRestore, finishRestore } from './finish-restore.ts';
import { demandStopped, type WhyNotStopped } from './proven-stopped.ts';
import {
  discardUndone,
  endRestore,
  type RestoreJournal,
  readRestore,
  removeFolder,
  writeRestore,
} from './restore-journal.ts';
import { demandAnswer, isInside } from './save-places.ts';
import { SavesError } from './saves-error.ts';

export interface RestoreOptions {
  readonly settings: SavesSettings;
  readonly backup: string;
  readonly whyNotStopped: WhyNotStopped;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
}

/** Replaces the game's worlds with a backup; the previous ones are kept beside them. */
export const restoreSaves = async (options: RestoreOptions): Promise<RestoreJournal> => {
  const { settings, backup, whyNotStopped, signal, onProgress } = options;
  const { stateFolder, backupFolder } = settings;
  await using _held = await holdBackups(backupFolder);
  await demandStopped(whyNotStopped);
  await finishRestore(stateFolder);
  const earlier = await readRestore(stateFolder);
  if (earlier)
    throw new SavesError(
      'An earlier restore waits for your confirmation. Confirm or undo it before the next one.',
    );
  const manifest = await readManifest(backupFolder, backup);
  if (!manifest) throw new SavesError('There is no such backup, or the list of its files is damaged.');
  if (manifest.game !== settings.game) throw new SavesError('That backup is of another game.');
  await demandOwnPlaces(
    settings,
    manifest.places.map(({ folder }) => folder),
  );
  for (const place of manifest.places) await demandOwnFiles(place);
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
  await writeRestore(stateFolder, content);
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
    signal.throwIfAborted();
  } catch (error) {
    await discardRestore(stateFolder, content);
    signal.throwIfAborted();
    throw error;
  }
  await changePlaces(stateFolder, { ...content, stage: 'swapping' }, whyNotStopped);
  return { ...content, stage: 'swapped' };
};

/** Deletes what a restore has put aside, and what an undone one has left. @returns false: there is nothing to delete */
export const confirmRestore = async (settings: SavesSettings): Promise<boolean> => {
  const { stateFolder, backupFolder } = settings;
  await using _held = await holdBackups(backupFolder);
  const content = await readRestore(stateFolder);
  const isUndoneGone = await discardUndone(stateFolder);
  if (content?.stage !== 'swapped') return isUndoneGone;
  for (const { before } of content.swaps) for (const path of await asideOf(before)) await removeFolder(path);
  await endRestore(stateFolder);
  return true;
};

/** A backup names folders: only those of this server may be replaced, even if they are gone. */
const demandOwnPlaces = async ({ serverFolder, from }: SavesSettings, wanted: readonly string[]) => {
  await demandAnswer(serverFolder);
  const root = await realpath(serverFolder);
  const own = await Promise.all((from ?? []).map((place) => realPlace(resolve(serverFolder, place))));
  for (const place of wanted) {
    const real = await realpath(dirname(place)).catch(() => null);
    const isKnown = own.includes(place) || isInside(root, place);
    if (!isKnown || real !== dirname(place))
      throw new SavesError(
        `The backup is of ${place}, where this server keeps no world now. Name that folder in config.json as saves.from.`,
      );
  }
};

/**
 * Restored files belong to us, and a game under another account could not write them. If the existing world belongs to us, the
 * game now runs as our account, whatever account the backup was made from.
 */
const demandOwnFiles = async ({ folder, entries }: Manifest['places'][number]): Promise<void> => {
  const self = process.geteuid?.();
  if (self === undefined || self === 0) return;
  const foreign = entries.find(({ uid }) => uid !== self);
  if (!foreign) return;
  const present = await lstat(folder).catch(() => null);
  if (present?.uid === self) return;
  const [owner, own] = [(await accountName(foreign.uid)) ?? foreign.uid, (await accountName(self)) ?? self];
  throw new SavesError(
    `The backup of ${folder} has files of the account ${owner}, and ${own} may not give files to others: the game could not write them. Let the agent run as root (castellan-agent install --account root). If the game runs as ${own} now, give it that folder first: mkdir -p "${folder}" && chown -R ${own} "${folder}"`,
  );
};

/** The place as a backup names it, even if it is gone. */
const realPlace = async (place: string): Promise<string> =>
  realpath(place).catch(async () =>
    join(await realpath(dirname(place)).catch(() => dirname(place)), basename(place)),
  );

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
  // Innermost first: a folder without write permission accepts no more files.
  for (const entry of entries.toReversed()) await likeBefore(join(to, entry.path), entry);
};

const likeBefore = async (path: string, { mode, uid, gid, mtimeMs }: ManifestEntry): Promise<void> => {
  if (process.platform !== 'win32') {
    // Only root may give files away; for others they stay their own account's. The list may be where the game's account can write:
    // it gives nothing to root, and makes no program setuid.
    if (process.geteuid?.() === 0 && uid !== 0) await lchown(path, uid, gid);
    await chmod(path, mode & 0o777);
  }
  const at = new Date(mtimeMs);
  await utimes(path, at, at);
};
