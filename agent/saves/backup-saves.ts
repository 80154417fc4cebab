import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import type { TaskProgress } from '#contracts/servers/agent-tasks.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { sinceStartMs } from '#runtime/clock.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { begunMs } from '#runtime/is-ahead.ts';
import { lockFolder } from '../configuration/state-folder.ts';
import { findRunning } from '../discovery/find-games.ts';
import {
  noneOrFault,
  type OpenedFolder,
  openNamedFolder,
  openRealFolder,
  walkBelow,
} from '../folders/opened-folder.ts';
import { quietGame, type RunCommand } from './autosave.ts';
import {
  beginBackup,
  type Keeping,
  type ListedBackup,
  listBackups,
  type ManifestEntry,
  pruneBackups,
} from './backup-folder.ts';
import { storeFile } from './copy-file.ts';
import { noteDatedAhead } from './dated-ahead.ts';
import { keepingOf } from './panel-schedule.ts';
import { demandAnswer, findSavePlaces, isInside, realFolder } from './save-places.ts';
import { inWords, SavesError } from './saves-error.ts';
import { type FoundEntry, scanFiles } from './scan-files.ts';

export interface SavesSettings extends Keeping {
  readonly game: GameId;
  readonly serverId: string;
  readonly stateFolder: string;
  readonly serverFolder: string;
  /** Where its worlds are; null: as the game's own settings say. */
  readonly from: readonly string[] | null;
  /** The agent's start command for the game; empty when it has none. */
  readonly startCommand: readonly string[];
  readonly backupFolder: string;
  /** The machine's owner lets the panel schedule backups: `keep` and `days` are then the least that is kept. */
  readonly mayPanelSchedule: boolean;
}

export interface BackupOptions {
  readonly settings: SavesSettings;
  /** Null: there is no console. */
  readonly run: RunCommand | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
  /** Whether the clock was set under this process. */
  readonly wasClockSet?: () => boolean;
  readonly now?: () => Date;
}

const progressMs = 500;
const mostNamed = 20;
/** A running game that was asked to save writes at least one file. */
const deadMs = 86_400_000;

/** One backup or restore at a time, across the agent and its command line. */
export const holdBackups = async (folder: string): Promise<AsyncDisposable> => {
  await demandAnswer(folder);
  await using opened = await openNamedFolder(folder, true);
  const held = await lockFolder(opened.path('.'));
  if (held !== null) return held;
  throw new SavesError('Another backup or restore of these saves is running. Wait until it is done.');
};

/** Copies the worlds of a game as they are at one moment, as far as the game can be kept from writing. */
export const backupSaves = async (options: BackupOptions): Promise<ListedBackup> => {
  const { settings, run, signal, onProgress, now = () => new Date(), wasClockSet = () => false } = options;
  const { game, serverId, stateFolder, serverFolder, from, backupFolder } = settings;
  await using _held = await holdBackups(backupFolder);
  onProgress({ step: 'Looking for the worlds', done: 0, total: null });
  const found = await findSavePlaces(game, serverFolder, from, (root) => argsOf(settings, root));
  const target = await realFolder(backupFolder);
  const places = found.places.filter((place) => !isInside(target, place));
  const around = places.find((place) => place === target || isInside(place, target));
  if (around !== undefined)
    throw new SavesError(
      `The backups would be inside ${around}, which is backed up. Choose another saves.folder.`,
    );
  const { passing } = gameOf(game).saves;
  const size = await sizeOf(places, passing);
  await demandRoom('A backup of the saves', [{ path: backupFolder, bytes: size }]);
  signal.throwIfAborted();

  const at = now();
  const began = { nowMs: at.getTime(), monotonicMs: sinceStartMs() };
  await using partial = await beginBackup(backupFolder, at);
  const notes: string[] =
    found.leftOut.length > 0 ? [`Folders that look like worlds were left out: ${named(found.leftOut)}.`] : [];
  const changed: string[] = [];
  let done = 0;
  let storedBytes = 0;
  let toldAtMs = 0;
  const tell = (bytes: number) => {
    done += bytes;
    if (performance.now() - toldAtMs < progressMs) return;
    toldAtMs = performance.now();
    onProgress({ step: 'Copying the saves', done, total: Math.max(size, done) });
  };

  const storeFileOf = async (
    entry: FoundEntry,
    from: OpenedFolder,
    to: OpenedFolder,
  ): Promise<ManifestEntry | null> => {
    const name = basename(entry.path);
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      try {
        // Null: it is gone, or was replaced by what is not backed up.
        await using source = await from.openFile(name).catch(noneOrFault);
        if (source === null) return null;
        await using target = await to.createFile(name);
        const copied = await storeFile(source, target, { signal, onBytes: tell });
        if (copied.isChanged && tries === 1) {
          await target.close();
          await to.remove(name);
          continue;
        }
        if (copied.isChanged) changed.push(entry.path);
        storedBytes += copied.storedBytes;
        return { ...entry, bytes: copied.bytes, sha256: copied.sha256 };
      } catch (error) {
        // On Windows a program may lock a file so that others cannot read it. A world without it would be useless.
        if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
        await to.remove(name);
        if (tries > 1)
          throw new SavesError(
            `Another program holds ${join(from.shown, name)} locked. Nothing was backed up.`,
          );
      }
    }
  };

  /** @param folder of the backup, for this place */
  const storePlace = async (place: OpenedFolder, folder: string): Promise<ManifestEntry[]> => {
    const { entries, leftOut, unnamed } = await scanFiles(place, passing);
    if (leftOut.length > 0) notes.push(`Links were left out: ${named(leftOut)}.`);
    if (unnamed.length > 0)
      notes.push(`Files whose names are not UTF-8, or too long, are missing: ${named(unnamed)}.`);
    await using target = await partial.folder.createFolder(folder);
    await using sources = walkBelow(place);
    await using targets = walkBelow(target);
    const stored: ManifestEntry[] = [];
    for (const entry of entries) {
      const above = entry.path.includes('/') ? dirname(entry.path) : '';
      const to = await targets.to(above);
      if (entry.isFolder) {
        if (entry.path !== '') await (await to.createFolder(basename(entry.path)))[Symbol.asyncDispose]();
        stored.push({ ...entry, sha256: null });
        continue;
      }
      const from = await sources.to(above).catch(noneOrFault);
      const kept = from && (await storeFileOf(entry, from, to));
      if (kept) stored.push(kept);
    }
    return stored;
  };

  const make = async (): Promise<ListedBackup> => {
    onProgress({ step: 'Asking the game to save', done: 0, total: null });
    const quiet = run ? await quietGame({ game, stateFolder, run }) : null;
    notes.push(...(quiet?.notes ?? []));
    const manifestPlaces: { folder: string; entries: ManifestEntry[] }[] = [];
    try {
      for (const [index, place] of places.entries()) {
        await using opened = await openRealFolder(place);
        manifestPlaces.push({ folder: place, entries: await storePlace(opened, String(index)) });
      }
    } finally {
      if (quiet && !(await quiet.resume()))
        notes.push('The game was not told to save again yet; the agent goes on trying.');
    }
    const newest = manifestPlaces
      .flatMap(({ entries }) => entries)
      .reduce((latest, { mtimeMs }) => Math.max(latest, mtimeMs), 0);
    if (run && from === null && newest > 0 && at.getTime() - newest > deadMs)
      notes.push(
        `The game answers, but no file of these worlds has changed since ${new Date(newest).toISOString()}: it may keep its worlds elsewhere. Name their folder in config.json as saves.from.`,
      );
    if (changed.length > 0) notes.push(`The game changed files while they were copied: ${named(changed)}.`);
    const bytes = manifestPlaces.flatMap(({ entries }) => entries).reduce((sum, one) => sum + one.bytes, 0);
    return partial.finish({
      version: 1,
      game,
      serverId,
      at: new Date(begunMs(began, { nowMs: now().getTime(), monotonicMs: sinceStartMs() })).toISOString(),
      places: manifestPlaces,
      bytes,
      storedBytes,
      notes,
    });
  };
  const listed = await make().catch(async (error: unknown) => {
    await partial.discard().catch(() => undefined);
    signal.throwIfAborted();
    throw error;
  });
  try {
    await pruneBackups(backupFolder, await keepingOf(settings), {
      ...{ now: now(), spared: listed.name, wasClockSet: wasClockSet() },
      seenAhead: await noteDatedAhead(stateFolder, await listBackups(backupFolder), now()),
    });
    return listed;
  } catch (error) {
    return { ...listed, notes: [...listed.notes, `Old backups could not be deleted: ${inWords(error)}`] };
  }
};

/** The arguments of the running game, no matter who has started it; else those with which the agent would start it. */
const argsOf = async ({ game, startCommand }: SavesSettings, root: string): Promise<readonly string[]> => {
  const { program, isBelieved } = await findRunning(game, root);
  return program && isBelieved ? program.command : startCommand;
};

const sizeOf = async (places: readonly string[], passing: readonly string[]): Promise<number> => {
  let size = 0;
  for (const place of places) {
    await using opened = await openRealFolder(place);
    for (const { bytes } of (await scanFiles(opened, passing)).entries) size += bytes;
  }
  return size;
};

const named = (paths: readonly string[]): string =>
  paths.length > mostNamed
    ? `${paths.slice(0, mostNamed).join(', ')} and ${paths.length - mostNamed} more`
    : paths.join(', ');
