import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FoundMod,
  type InstalledMod,
  type ModMetadata,
  type ModObstacle,
  type ModsList,
  modsList,
} from '#contracts/agent-mods.ts';
import type { GameId } from '#contracts/games.ts';
import type { GameMods, LoaderFacts, ModFolder } from '#games/mods-layout.ts';
import { readModInfo } from '#games/seven-days-to-die/mod-info.ts';
import { diskSpaceOf } from '#runtime/disk-space.ts';
import { modsMark } from '../power/mods-mark.ts';
import { openChange } from './change-journal.ts';
import { type HashCache, openHashCache } from './hash-cache.ts';
import { type OwnedMod, readManifest } from './manifest.ts';
import { modsWords } from './mods-error.ts';
import { idOf } from './plan-moves.ts';

export interface ListOptions {
  readonly gameId: GameId;
  readonly mods: GameMods;
  readonly stateFolder: string;
  readonly root: string;
  readonly facts: LoaderFacts;
  /** With which the game is started; none where that is not known. */
  readonly args: readonly string[];
  readonly isAllowed: boolean;
  /** Why the game's state does not allow a change; null: it does. */
  readonly whyRunning: () => Promise<string | null>;
  readonly rehearsalObstacle: string | null;
  /** Asked again at the end: one may have begun meanwhile. */
  readonly isChanging: () => boolean;
  readonly signal: AbortSignal;
}

const mostFound = 500;
const mostNamed = 20;

/** What mods are there, ours and others. */
export const listMods = async (options: ListOptions): Promise<ModsList> => {
  const { gameId, mods, stateFolder, root, facts, isChanging, signal } = options;
  const wasChanging = isChanging();
  const manifest = await readManifest(stateFolder);
  const cache = await openHashCache(stateFolder, gameId);
  const folders = mods.folders(facts);
  const installed: InstalledMod[] = [];
  for (const item of manifest.items) installed.push(await describeInstalled(item, options, cache, folders));
  const owned = new Set(manifest.items.flatMap(({ files }) => files.map(({ path }) => path)));
  const { found, count } = await findForeign(options, folders, owned, cache);
  await cache.keep();
  signal.throwIfAborted();
  const obstacle = await obstacleOf(options, folders);
  return modsList.parse({
    revision: manifest.revision,
    ...facts,
    forms: [...mods.forms(facts)],
    installed,
    found,
    foundCount: count,
    foundIds: await foreignIds(options, manifest.items),
    obstacle: obstacle?.is ?? null,
    obstacleDetail: obstacle?.detail.slice(0, 500) ?? null,
    rehearsalObstacle: options.rehearsalObstacle,
    freeBytes: await diskSpaceOf(root).then(
      ({ freeBytes }) => freeBytes,
      () => null,
    ),
    pending: await pendingOf(stateFolder, wasChanging, isChanging),
  } satisfies ModsList);
};

const describeInstalled = async (
  { files, ...item }: OwnedMod,
  { root, signal }: ListOptions,
  cache: HashCache,
  folders: readonly ModFolder[],
): Promise<InstalledMod> => {
  const changed: string[] = [];
  let metadata: ModMetadata | null = null;
  for (const { path, sha512 } of files) {
    const facts = await cache.factsOf(join(root, path), signal);
    if (facts?.sha512 !== sha512) changed.push(path);
    metadata ??= facts?.metadata ?? null;
    const isInfo = folders.some(
      ({ holds }) => 'foldersWith' in holds && path.endsWith(`/${holds.foldersWith}`),
    );
    if (isInfo) metadata ??= await infoOf(join(root, path));
  }
  return {
    ...item,
    files: files.slice(0, mostNamed).map(({ path, bytes }) => ({ path, bytes })),
    fileCount: files.length,
    changedFiles: changed.slice(0, mostNamed),
    metadata,
  };
};

const infoOf = async (path: string): Promise<ModMetadata | null> => {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile() || facts.size > 1024 * 1024) return null;
  const content = await readFile(path).catch(unlessGone);
  return content && readModInfo(content);
};

/** A change, or another hand, has taken it away meanwhile. */
const unlessGone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

/** Of the folders for mods only what the game takes for a mod. */
const findForeign = async (
  { root, signal }: ListOptions,
  folders: readonly ModFolder[],
  owned: ReadonlySet<string>,
  cache: HashCache,
): Promise<{ readonly found: FoundMod[]; readonly count: number }> => {
  const found: FoundMod[] = [];
  let count = 0;
  for (const { path: into, holds } of folders) {
    const entries = await readdir(join(root, into), { withFileTypes: true }).catch(unlessGone);
    for (const entry of (entries ?? []).sort((one, other) => (one.name < other.name ? -1 : 1))) {
      signal.throwIfAborted();
      const path = `${into}/${entry.name}`;
      if (path.length > 500) continue;
      if ('files' in holds) {
        if (!entry.isFile() || owned.has(path) || !entry.name.toLowerCase().endsWith(holds.files)) continue;
        count += 1;
        if (found.length >= mostFound) continue;
        const facts = await cache.factsOf(join(root, path), signal);
        if (!facts) continue;
        const { mark: _, ...told } = facts;
        found.push({ path, ...told });
        continue;
      }
      const info = join(root, path, holds.foldersWith);
      const facts = entry.isDirectory() ? await stat(info).catch(() => null) : null;
      if (!facts?.isFile() || owned.has(`${path}/${holds.foldersWith}`)) continue;
      count += 1;
      if (found.length >= mostFound) continue;
      found.push({
        ...{ path, bytes: await bytesBelow(join(root, path)), sha512: null, sha1: null, fingerprint: null },
        metadata: await infoOf(info),
        modifiedAt: facts.mtime.toISOString(),
      });
    }
  }
  return { found, count };
};

const bytesBelow = async (folder: string): Promise<number> => {
  let bytes = 0;
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(unlessGone);
  for (const entry of entries ?? [])
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  return bytes;
};

const foreignIds = async ({ mods, root }: ListOptions, items: readonly OwnedMod[]): Promise<string[]> => {
  const { ids } = mods;
  if (ids?.at !== 'settings') return [];
  const ours = new Set(items.filter(({ form }) => form === 'id').map(idOf));
  for (const path of ids.files) {
    const content = await readFile(join(root, path)).catch(() => null);
    if (content)
      return ids
        .read(content)
        .filter((id) => !ours.has(id) && id.length <= 50)
        .slice(0, 200);
  }
  return [];
};

/** Why a change would be refused now. */
const obstacleOf = async (
  { mods, facts, args, root, isAllowed, whyRunning, isChanging }: ListOptions,
  folders: readonly ModFolder[],
): Promise<{ readonly is: ModObstacle; readonly detail: string } | null> => {
  if (!isAllowed)
    return {
      is: 'MODS_NOT_ALLOWED',
      detail: 'The owner of the machine does not allow changing mods (server.allow.mods).',
    };
  const { ids } = mods;
  const ignored = ids?.at === 'settings' ? ids.ignoredBecause(args) : null;
  if (ignored !== null) return { is: 'MODS_NO_MARK', detail: ignored };
  if (ids?.at === 'command' && !args.some((arg) => arg.includes(modsMark)))
    return {
      is: 'MODS_NO_MARK',
      detail: `The start command has no ${modsMark} where the ids of mods belong.`,
    };
  if (mods.forms(facts).length === 0)
    return {
      is: 'MODS_NO_LOADER',
      detail: 'Nothing that loads mods or plugins was found in the folder of the server.',
    };
  for (const path of ['', ...folders.map((folder) => folder.path)]) {
    const denied = await access(join(root, path), constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : modsWords(error)),
    );
    if (denied !== null) return { is: 'MODS_FOLDER_READ_ONLY', detail: denied };
  }
  const running = isChanging() ? null : await whyRunning();
  return running === null ? null : { is: 'MODS_GAME_RUNNING', detail: running };
};

const pendingOf = async (
  stateFolder: string,
  wasChanging: boolean,
  isChanging: () => boolean,
): Promise<string | null> => {
  const isOpen = await openChange(stateFolder);
  // Behind the journal, which a change that has just begun may have written.
  if (wasChanging || isChanging()) return 'A change of the mods is under way.';
  return isOpen && 'A change of the mods was cut off, and is finished when the agent and the game allow it.';
};
