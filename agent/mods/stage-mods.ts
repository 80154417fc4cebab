import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ModFile, ModItem, ModStep } from '#contracts/agent-mods.ts';
import type { GameId } from '#contracts/games.ts';
import { inspectArchive } from '#games/mod-metadata.ts';
import type { ModFolder } from '#games/mods-layout.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { giveFolder } from '../configuration/as-owner.ts';
import type { OwnedFile } from './manifest.ts';
import type { HeldFile, ModFiles } from './mod-files.ts';
import { ModsError } from './mods-error.ts';

export interface StagedFile extends OwnedFile {
  /** Where it waits; absolute. */
  readonly fresh: string;
  /** A pack brings it besides its mods: one that is there already, and not ours, stays. */
  readonly isSettings: boolean;
}
export interface StagedMod {
  readonly item: ModItem;
  readonly files: readonly StagedFile[];
}

export interface StageOptions {
  readonly put: readonly ModItem[];
  readonly game: GameId;
  readonly folders: readonly ModFolder[];
  readonly files: ModFiles;
  /** The server's folder. */
  readonly root: string;
  /** In which files wait; it is made. */
  readonly folder: string;
  readonly taskId: string;
  readonly signal: AbortSignal;
  readonly onStep: (step: ModStep, done: number, total: number | null) => void;
}

/** Downloads the files of mods, unpacks them and lays them out beside their places, all on the disk. */
export const stageMods = async (options: StageOptions): Promise<StagedMod[]> => {
  const { put, root, folder, signal, onStep } = options;
  const stage = join(folder, 'new');
  // One by one: Node says of a disk that can only be read that the folder is not there, where it makes several.
  for (const path of [dirname(folder), folder, stage, join(folder, 'old')])
    await mkdir(path, { mode: 0o700 });
  if ((await realpath(folder)) !== folder)
    throw new ModsError(`${dirname(folder)} is a link. Remove it: files wait there for their places.`);
  await using held = new AsyncDisposableStack();
  const fetchAll = async (files: readonly ModFile[]): Promise<HeldFile[]> => {
    const fetched: HeldFile[] = [];
    let before = 0;
    const isKnown = files.every(({ bytes }) => bytes !== null);
    const total = isKnown ? files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) : null;
    for (const file of files) {
      signal.throwIfAborted();
      const onProgress = (done: number) => onStep('download', before + done, total);
      const got = held.use(await options.files.fetch(file, { taskId: options.taskId, signal, onProgress }));
      before += got.bytes;
      fetched.push(got);
    }
    return fetched;
  };

  const fetched = await fetchAll(put.flatMap(({ file }) => (file ? [file] : [])));
  await demandRoom('A change of the mods', [
    { path: root, bytes: fetched.reduce((sum, { bytes }) => sum + bytes, 0) },
  ]);
  const staged: StagedMod[] = [];
  let next = 0;
  for (const [index, item] of put.entries()) {
    if (item.form === 'id') {
      staged.push({ item, files: [] });
      continue;
    }
    const source = item.file ? fetched[next++] : undefined;
    if (!source) throw new ModsError(`${item.name} has no file.`);
    onStep(item.form === 'file' ? 'stage' : 'unpack', index, put.length);
    const to = join(stage, String(index));
    await mkdir(to, { mode: 0o700 });
    staged.push({
      item,
      files:
        item.form === 'file'
          ? [await stageFile(item, source, to, options)]
          : await stageArchive(item, source, to, options, fetchAll),
    });
    await syncFolder(to);
  }
  await syncFolder(stage);
  await syncFolder(folder);
  if (process.geteuid?.() === 0) {
    const { uid, gid } = await stat(root);
    await giveFolder(stage, { uid, gid });
  }
  return staged;
};

const stageFile = async (
  item: ModItem,
  source: HeldFile,
  to: string,
  { folders, signal }: StageOptions,
): Promise<StagedFile> => {
  const { file, folder, name } = item;
  const into = folders.find(({ path, holds }) => path === folder && 'files' in holds);
  if (!file || folder === null || !into)
    throw new ModsError(`This server has no folder for ${name}: its loader takes no such files.`);
  if ('files' in into.holds && !file.name.toLowerCase().endsWith(into.holds.files))
    throw new ModsError(
      `${file.name} is no file that the loader takes: it has to end with ${into.holds.files}.`,
    );
  const fresh = join(to, 'file');
  await copyVerified(source, fresh, signal);
  return {
    path: `${into.path}/${file.name}`,
    bytes: source.bytes,
    sha512: source.sha512,
    fresh,
    isSettings: false,
  };
};

const stageArchive = async (
  item: ModItem,
  source: HeldFile,
  to: string,
  options: StageOptions,
  fetchAll: (files: readonly ModFile[]) => Promise<HeldFile[]>,
): Promise<StagedFile[]> => {
  const { game, folders, root, signal } = options;
  await using archive = await openArchive(source.path);
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
  const inside = join(to, 'archive');
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
  const fetched = await fetchAll(downloads.map(({ file }) => file));
  for (const [index, { path }] of downloads.entries()) {
    const source = fetched[index];
    if (!source) continue;
    const fresh = join(to, `file-${index}`);
    await copyVerified(source, fresh, signal);
    files.push({ path, bytes: source.bytes, sha512: source.sha512, fresh, isSettings: isSettings(path) });
  }
  return files;
};

/** @throws {ModsError} where the disk gives other bytes than were verified */
const copyVerified = async (from: HeldFile, to: string, signal: AbortSignal): Promise<void> => {
  const hash = createHash('sha512');
  const hashed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    createReadStream(from.path, { highWaterMark: 1024 * 1024 }),
    hashed,
    createWriteStream(to, { flags: 'wx', mode: 0o644, flush: true }),
    { signal },
  );
  if (hash.digest('hex') !== from.sha512)
    throw new ModsError(`${from.path} is not what was downloaded any more. Try again.`);
};
