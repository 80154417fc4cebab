import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { TaskProgress } from '#contracts/servers/agent-tasks.ts';
import { accountName } from '#runtime/account-name.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { removeAt } from '../folders/entries-at.ts';
import {
  type FolderFacts,
  type FolderWalk,
  type OpenedFolder,
  openNamedFolder,
  walkBelow,
} from '../folders/opened-folder.ts';
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
  writeRestore,
} from './restore-journal.ts';
import { isInside, realFolder } from './save-places.ts';
import { SavesError } from './saves-error.ts';

/** Replaces the game's worlds with a backup; the previous ones are kept beside them. */
export const restoreSaves = async (options: {
  readonly settings: SavesSettings;
  readonly backup: string;
  readonly whyNotStopped: WhyNotStopped;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
}): Promise<RestoreJournal> => {
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
      await unpackPlace({
        from: [backup, String(index)],
        backupFolder,
        fresh,
        entries,
        signal,
        onBytes(bytes) {
          done += bytes;
          onProgress({ step: 'Unpacking the backup', done, total: manifest.bytes });
        },
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
  for (const { before } of content.swaps) for (const path of await asideOf(before)) await removeAt(path);
  await endRestore(stateFolder);
  return true;
};

/** A backup names folders: only those of this server may be replaced, even if they are gone. */
const demandOwnPlaces = async ({ serverFolder, from }: SavesSettings, wanted: readonly string[]) => {
  const root = await realFolder(serverFolder);
  const own = await Promise.all((from ?? []).map((place) => realPlace(resolve(serverFolder, place))));
  for (const place of wanted) {
    const real = await realFolder(dirname(place)).catch(() => null);
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
  await using present = await openNamedFolder(folder).catch(() => null);
  if ((await present?.stat())?.uid === self) return;
  const [owner, own] = [(await accountName(foreign.uid)) ?? foreign.uid, (await accountName(self)) ?? self];
  throw new SavesError(
    `The backup of ${folder} has files of the account ${owner}, and ${own} may not give files to others: the game could not write them. Let the agent run as root (castellan-agent install --account root). If the game runs as ${own} now, give it that folder first: mkdir -p "${folder}" && chown -R ${own} "${folder}"`,
  );
};

/** The place as a backup names it, even if it is gone. */
const realPlace = (place: string): Promise<string> =>
  realFolder(place).catch(async () =>
    join(await realFolder(dirname(place)).catch(() => dirname(place)), basename(place)),
  );

/**
 * Unpacks a place beside its world. Each file gets its owner by the handle with which it was created, and each folder only if it
 * is still the one that was made: the account that owns the folder around it may have replaced it.
 */
const unpackPlace = async (options: {
  readonly backupFolder: string;
  /** Names of folders from there on. */
  readonly from: readonly string[];
  readonly fresh: string;
  readonly entries: readonly ManifestEntry[];
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}): Promise<void> => {
  const { backupFolder, from, fresh, entries, signal, onBytes } = options;
  // A place that was no folder, from an earlier version.
  if (entries.length === 0) return;
  await using backups = await openNamedFolder(backupFolder);
  await using backup = await backups.openFolder(from[0] ?? '');
  await using stored = await backup.openFolder(from[1] ?? '');
  await using around = await openNamedFolder(dirname(fresh));
  await using made = await around.createFolder(basename(fresh));
  await using sources = walkBelow(stored);
  await using targets = walkBelow(made);
  const identities = new Map<string, string>([['', await identityOf(made)]]);
  for (const entry of entries) {
    signal.throwIfAborted();
    if (entry.path === '') continue;
    const [above, name] = aboveOf(entry.path);
    const target = await targets.to(above);
    if (entry.isFolder) {
      await using folder = await target.createFolder(name);
      identities.set(entry.path, await identityOf(folder));
    } else await unpackEntry(entry, sources, target, { signal, onBytes });
  }
  // Innermost first: a folder without write permission accepts no more files.
  for (const entry of entries.toReversed()) {
    if (!entry.isFolder) continue;
    const folder = await targets.to(entry.path);
    if ((await identityOf(folder)) !== identities.get(entry.path))
      throw new SavesError(`${folder.shown} was replaced by another program.`);
    await folder.become(factsOf(entry));
  }
};

const aboveOf = (path: string): [above: string, name: string] => {
  const cut = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, cut)), path.slice(cut + 1)];
};

const identityOf = async (folder: OpenedFolder): Promise<string> => {
  const { dev, ino } = await folder.stat();
  return `${dev}:${ino}`;
};

const unpackEntry = async (
  entry: ManifestEntry,
  sources: FolderWalk,
  to: OpenedFolder,
  options: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<void> => {
  const { path, bytes, sha256 } = entry;
  const [above, name] = aboveOf(path);
  const damaged = (error: NodeJS.ErrnoException): never => {
    if (error.code === 'ENOSPC' || options.signal.aborted) throw error;
    throw new SavesError(`The backup's file ${path} is damaged: ${error.message}.`);
  };
  await using source = await sources.to(above).then((from) => from.openFile(name).catch(damaged), damaged);
  await using target = await to.createFile(name);
  const unpacked = await unpackFile(source, target, { ...options, most: bytes }).catch(damaged);
  if (unpacked.sha256 !== sha256 || unpacked.bytes !== bytes)
    throw new SavesError(`The backup's file ${path} is damaged: it is not what was copied.`);
  await likeBefore(target, factsOf(entry));
};

/**
 * Only root may give files away; for others they stay their own account's. The list may be where the game's account can write: it
 * gives nothing to root, and makes no program setuid.
 */
const factsOf = ({ mode, uid, gid, mtimeMs }: ManifestEntry): FolderFacts => ({
  owner: process.geteuid?.() === 0 && uid !== 0 ? { uid, gid } : null,
  mode: process.platform === 'win32' ? null : mode & 0o777,
  mtimeMs,
});

const likeBefore = async (file: FileHandle, { owner, mode, mtimeMs }: FolderFacts): Promise<void> => {
  if (owner !== null) await file.chown(owner.uid, owner.gid);
  if (mode !== null) await file.chmod(mode);
  const at = new Date(mtimeMs);
  await file.utimes(at, at);
};
