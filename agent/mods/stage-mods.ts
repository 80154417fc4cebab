import { join } from 'node:path';
import type { ModFile, ModItem, ModStep } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { ModFolder } from '#games/mods-layout.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import type { FolderWorker } from './folder/folder-worker.ts';
import { leftOutWords, newFolder } from './lay-out-stage.ts';
import type { HeldFile, ModFiles } from './mod-files.ts';
import { ModsError } from './mods-error.ts';
import type { StagedFile, StagedMod } from './staged-mod.ts';

interface StageOptions {
  readonly put: readonly ModItem[];
  readonly game: GameId;
  readonly folders: readonly ModFolder[];
  readonly files: ModFiles;
  readonly worker: FolderWorker;
  /** The server's folder. */
  readonly root: string;
  /** The folder in which files wait; it will be created. */
  readonly folder: string;
  readonly taskId: string;
  readonly signal: AbortSignal;
  readonly onStep: (step: ModStep, done: number, total: number | null) => void;
}

/** Downloads the files of mods, unpacks them and puts them beside their places, all flushed to disk. */
export const stageMods = async (options: StageOptions): Promise<StagedMod[]> => {
  const { put, worker, root, folder, signal, onStep } = options;
  const stage = newFolder(folder);
  await worker.run('openStage', { folder }, signal);
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
  await worker.run('demandRoom', { root, bytes: fetched.reduce((sum, { bytes }) => sum + bytes, 0) }, signal);
  const staged: StagedMod[] = [];
  let next = 0;
  for (const [index, item] of put.entries()) {
    if (item.form === 'id') {
      staged.push({ item, files: [], notes: [] });
      continue;
    }
    const source = item.file ? fetched[next++] : undefined;
    if (!source) throw new ModsError(`${item.name} has no file.`);
    onStep(item.form === 'file' ? 'stage' : 'unpack', index, put.length);
    const to = join(stage, String(index));
    await worker.run('makeFolder', { path: to }, signal);
    staged.push(
      item.form === 'file'
        ? { item, files: [await stageFile(item, source, to, options)], notes: [] }
        : { item, ...(await stageArchive(item, source, to, options, fetchAll)) },
    );
  }
  const folders = [...put.keys()].filter((index) => staged[index]?.item.form !== 'id');
  const paths = [...folders.map((index) => join(stage, String(index))), stage, folder];
  await worker.run('syncStage', { paths }, signal);
  return staged;
};

const stageFile = async (
  item: ModItem,
  source: HeldFile,
  to: string,
  { folders, worker, signal }: StageOptions,
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
  await worker.put(source, fresh, signal);
  const { bytes, sha512 } = source;
  return { path: `${into.path}/${file.name}`, bytes, sha512, fresh, isSettings: false };
};

const stageArchive = async (
  item: ModItem,
  source: HeldFile,
  to: string,
  { game, folders, root, worker, signal }: StageOptions,
  fetchAll: (files: readonly ModFile[]) => Promise<HeldFile[]>,
): Promise<Omit<StagedMod, 'item'>> => {
  await using archive = await worker.reach(source, join(to, 'source'), signal);
  const { files, downloads, notes } = await worker.run(
    'unpackMod',
    { path: archive.path, item, game, folders, root, inside: join(to, 'archive') },
    signal,
  );
  const fetched = await fetchAll(downloads.map(({ file }) => file));
  const besides: StagedFile[] = [];
  const leftOut: string[] = [];
  for (const [index, { path: place, isSettings }] of downloads.entries()) {
    const one = fetched[index];
    if (!one) continue;
    if (!isSettings && (await isForPlayersOnly(one.path, game))) {
      leftOut.push(leftOutWords({ path: place, why: 'client-only' }));
      continue;
    }
    const fresh = join(to, `file-${index}`);
    await worker.put(one, fresh, signal);
    besides.push({ path: place, bytes: one.bytes, sha512: one.sha512, fresh, isSettings });
  }
  return { files: [...files, ...besides], notes: [...notes, ...leftOut] };
};

/** Whatever a pack's list says: many are exported with all mods marked for servers (CozyCord/homestead#438). */
const isForPlayersOnly = async (path: string, game: GameId): Promise<boolean> => {
  try {
    await using archive = await openArchive(path);
    const { content } = await gameOf(game).mods.inspect(archive);
    return content.is === 'mods' && content.mods.every(({ side }) => side === 'client');
  } catch (error) {
    // The loader tells what is wrong with it.
    if (error instanceof ArchiveError) return false;
    throw error;
  }
};
