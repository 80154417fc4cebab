import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModItem } from '#contracts/agent-mods.ts';
import type { GameId } from '#contracts/games.ts';
import { inspectArchive } from '#games/mod-metadata.ts';
import type { ModFolder } from '#games/mods-layout.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { ModsError } from './mods-error.ts';
import type { StagedFile, UnpackedMod } from './staged-mod.ts';
import { removeFolder } from './swap-files.ts';

/** Of a change; each is below the folder that it waits in. */
export const newFolder = (folder: string): string => join(folder, 'new');
const oldFolder = (folder: string): string => join(folder, 'old');

/** Where the files of a change wait for their places. Those of earlier changes go. @throws {ModsError} */
export const openStage = async ({ folder }: { readonly folder: string }): Promise<void> => {
  await removeFolder(dirname(folder));
  // One by one: Node says of a disk that can only be read that the folder is not there, where it makes several.
  for (const path of [dirname(folder), folder, newFolder(folder), oldFolder(folder)])
    await mkdir(path, { mode: 0o700 });
  if ((await realpath(folder)) !== folder)
    throw new ModsError(`${dirname(folder)} is a link. Remove it: files wait there for their places.`);
};

/** What waits there outlives a power cut. */
export const syncStage = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) await syncFolder(path);
};

export interface UnpackOptions {
  /** The archive. */
  readonly path: string;
  readonly item: ModItem;
  readonly game: GameId;
  readonly folders: readonly ModFolder[];
  /** The server's folder. */
  readonly root: string;
  /** It is made. */
  readonly inside: string;
  readonly signal: AbortSignal;
}

/** @throws {ModsError} where it is not what was planned, {ArchiveError} where it cannot be trusted */
export const unpackMod = async (options: UnpackOptions): Promise<UnpackedMod> => {
  const { path: source, item, game, folders, root, inside, signal } = options;
  await using archive = await openArchive(source);
  const { content, placements, downloads } = await inspectArchive(archive, game);
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
  return {
    files,
    downloads: downloads.map(({ file, path }) => ({ file, path, isSettings: isSettings(path) })),
  };
};
