import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LeftOutFile, ModItem } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { ModFolder } from '#games/mods-layout.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { ModsError } from './mods-error.ts';
import type { StagedFile, UnpackedMod } from './staged-mod.ts';
import { removeFolder } from './swap-files.ts';

/** Subfolders of a change; each is below the folder that it waits in. */
export const newFolder = (folder: string): string => join(folder, 'new');
const oldFolder = (folder: string): string => join(folder, 'old');

/** Creates the folder in which files of a change wait to be swapped in, and removes those of earlier changes. @throws {ModsError} */
export const openStage = async ({ folder }: { readonly folder: string }): Promise<void> => {
  await removeFolder(dirname(folder));
  // One by one: when it creates several, Node reports on a read-only disk that the folder is missing.
  for (const path of [dirname(folder), folder, newFolder(folder), oldFolder(folder)])
    await mkdir(path, { mode: 0o700 });
  if ((await realpath(folder)) !== folder)
    throw new ModsError(`${dirname(folder)} is a link. Remove it: files wait there for their places.`);
};

/** Makes the waiting files survive a power cut. */
export const syncStage = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) await syncFolder(path);
};

export const leftOutWords = ({ path, why }: LeftOutFile): string =>
  why === 'client-only'
    ? `${path} is for players only and was left out.`
    : `${path} was left out: not every system can hold its name.`;

/** @throws {ModsError} when it is not what was planned, {ArchiveError} when it cannot be trusted */
export const unpackMod = async (options: {
  /** The archive. */
  readonly path: string;
  readonly item: ModItem;
  readonly game: GameId;
  readonly folders: readonly ModFolder[];
  /** The server's folder. */
  readonly root: string;
  /** Will be created. */
  readonly inside: string;
  readonly signal: AbortSignal;
}): Promise<UnpackedMod> => {
  const { path: source, item, game, folders, root, inside, signal } = options;
  await using archive = await openArchive(source);
  const { content, placements, downloads } = await gameOf(game).mods.inspect(archive, item.parts);
  if (content.is === 'unknown') throw new ModsError(`${item.name} cannot be installed: ${content.why}`);
  const wanted = item.form === 'folders' ? 'folders' : 'pack';
  if (content.is !== wanted)
    throw new ModsError(`${item.name} is not what was planned: its file is of another kind.`);
  const bytesOf = new Map(archive.entries.map(({ path, bytes }) => [path, bytes]));
  const unpacked = placements.reduce((sum, { entry }) => sum + (bytesOf.get(entry) ?? 0), 0);
  const downloaded = downloads.reduce((sum, { file }) => sum + (file.bytes ?? 0), 0);
  await demandRoom('A change of the mods', [{ path: root, bytes: unpacked + downloaded }]);
  const isMod = (path: string) => folders.some((folder) => path.startsWith(`${folder.path}/`));
  const isSettings = (path: string) => item.form === 'pack' && !isMod(path);
  const placeOf = new Map(placements.map(({ entry, path }) => [entry, path]));
  await mkdir(inside, { mode: 0o700 });
  const files: StagedFile[] = (
    await archive.unpack(inside, {
      place: ({ path, isFolder }) => (isFolder ? null : (placeOf.get(path) ?? null)),
      signal,
    })
  ).map(({ path, bytes, sha512 }) => ({
    path,
    bytes,
    sha512,
    fresh: join(inside, ...path.split('/')),
    isSettings: isSettings(path),
  }));
  const leftOut = 'leftOut' in content ? content.leftOut : undefined;
  return {
    files,
    notes: (leftOut ?? []).map(leftOutWords),
    downloads: downloads.map(({ file, path }) => ({ file, path, isSettings: isSettings(path) })),
  };
};
