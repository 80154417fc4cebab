import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskProgress } from '#contracts/agent-tasks.ts';
import type { GameId } from '#contracts/games.ts';
import { gameOf } from '#games/games.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { AlreadyRunningError, holdStateFolder } from '../configuration/state-folder.ts';
import { describeGame } from '../discovery/find-games.ts';
import { quietGame, type RunCommand } from './autosave.ts';
import {
  beginBackup,
  type Keeping,
  type ListedBackup,
  type ManifestEntry,
  pruneBackups,
} from './backup-folder.ts';
import { storeFile } from './copy-file.ts';
import { demandAnswer, findSavePlaces, isInside } from './save-places.ts';
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
}

export interface BackupOptions {
  readonly settings: SavesSettings;
  /** Null: there is no console. */
  readonly run: RunCommand | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
  readonly now?: () => Date;
}

const progressMs = 500;
const mostNamed = 20;
/** A running game that was asked to save writes at least one file. */
const deadMs = 86_400_000;

/** One backup or restore at a time, across the agent and its command line. */
export const holdBackups = async (folder: string): Promise<AsyncDisposable> => {
  await demandAnswer(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return holdStateFolder(folder).catch((error: unknown) => {
    if (!(error instanceof AlreadyRunningError)) throw error;
    throw new SavesError('Another backup or restore of these saves is running. Wait until it is done.');
  });
};

/** Copies the worlds of a game as they are at one moment, as far as the game can be kept from writing. */
export const backupSaves = async (options: BackupOptions): Promise<ListedBackup> => {
  const { settings, run, signal, onProgress, now = () => new Date() } = options;
  const { game, serverId, stateFolder, serverFolder, from, backupFolder } = settings;
  await using _held = await holdBackups(backupFolder);
  onProgress({ step: 'Looking for the worlds', done: 0, total: null });
  const places = await findSavePlaces(game, serverFolder, from, (root) => argsOf(settings, root));
  const target = await realpath(backupFolder);
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
  const partial = await beginBackup(backupFolder, at);
  const notes: string[] = [];
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

  const storeEntry = async (
    place: string,
    folder: string,
    entry: FoundEntry,
  ): Promise<ManifestEntry | null> => {
    const to = join(folder, entry.path);
    if (entry.isFolder) {
      await mkdir(to, { recursive: true, mode: 0o700 });
      return { ...entry, sha256: null };
    }
    const source = join(place, entry.path);
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      try {
        const copied = await storeFile(source, to, { signal, onBytes: tell });
        if (copied.isChanged && tries === 1) {
          await rm(to);
          continue;
        }
        if (copied.isChanged) changed.push(entry.path);
        storedBytes += copied.storedBytes;
        return { ...entry, bytes: copied.bytes, sha256: copied.sha256 };
      } catch (error) {
        await rm(to, { force: true });
        const { code } = error as NodeJS.ErrnoException;
        // Gone or now a link: the game has replaced it.
        if (code === 'ENOENT' || code === 'ELOOP') return null;
        // On Windows a program may lock a file so that others cannot read it. A world without it would be useless.
        if (code !== 'EBUSY') throw error;
        if (tries > 1) throw new SavesError(`Another program holds ${source} locked. Nothing was backed up.`);
      }
    }
  };

  const make = async (): Promise<ListedBackup> => {
    onProgress({ step: 'Asking the game to save', done: 0, total: null });
    const quiet = run ? await quietGame({ game, stateFolder, run }) : null;
    notes.push(...(quiet?.notes ?? []));
    const manifestPlaces: { folder: string; entries: ManifestEntry[] }[] = [];
    try {
      for (const [index, place] of places.entries()) {
        const { entries, leftOut, unnamed } = await scanFiles(place, passing);
        if (leftOut.length > 0) notes.push(`Links were left out: ${named(leftOut)}.`);
        if (unnamed.length > 0)
          notes.push(`Files whose names are not UTF-8, or too long, are missing: ${named(unnamed)}.`);
        const stored: ManifestEntry[] = [];
        for (const entry of entries) {
          const kept = await storeEntry(place, join(partial.path, String(index)), entry);
          if (kept) stored.push(kept);
        }
        manifestPlaces.push({ folder: place, entries: stored });
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
      at: at.toISOString(),
      places: manifestPlaces,
      bytes,
      storedBytes,
      notes,
    });
  };
  const listed = await make().catch(async (error: unknown) => {
    await rm(partial.path, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    signal.throwIfAborted();
    throw error;
  });
  try {
    await pruneBackups(backupFolder, settings, { now: now(), spared: listed.name });
    return listed;
  } catch (error) {
    return { ...listed, notes: [...listed.notes, `Old backups could not be deleted: ${inWords(error)}`] };
  }
};

/** The arguments of the running game, no matter who has started it; else those with which the agent would start it. */
const argsOf = async ({ game, startCommand }: SavesSettings, root: string): Promise<readonly string[]> => {
  const { program, isBelieved } = await describeGame(game, root);
  return program && isBelieved ? program.command : startCommand;
};

const sizeOf = async (places: readonly string[], passing: readonly string[]): Promise<number> => {
  const found = await Promise.all(places.map((place) => scanFiles(place, passing)));
  return found.flatMap(({ entries }) => entries).reduce((sum, { bytes }) => sum + bytes, 0);
};

const named = (paths: readonly string[]): string =>
  paths.length > mostNamed
    ? `${paths.slice(0, mostNamed).join(', ')} and ${paths.length - mostNamed} more`
    : paths.join(', ');
