import { access, constants, lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type FoundMod,
  foundMod,
  type InstalledMod,
  installedMod,
  type ModLoader,
  type ModMetadata,
} from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { mergedMetadata, modsFor } from '#games/merged-metadata.ts';
import type { ModFolder } from '#games/mods-layout.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { diskSpaceOf } from '#runtime/disk-space.ts';
import { demandRootAlone } from './folder/root-folder.ts';
import { createModFileReader, type KnownFiles, knownFiles, type ModFileReader } from './hash-cache.ts';
import type { OwnedMod } from './manifest.ts';
import { idOf } from './plan-moves.ts';

export interface ScanOptions {
  readonly game: GameId;
  /** The server's folder. */
  readonly root: string;
  /** The server's. */
  readonly loader: ModLoader | null;
  readonly folders: readonly ModFolder[];
  /** Our mods. */
  readonly items: readonly OwnedMod[];
  /** Results of earlier reads. */
  readonly known: KnownFiles;
  readonly signal: AbortSignal;
}

export const scannedMods = z.object({
  installed: z.array(installedMod),
  found: z.array(foundMod),
  foundCount: z.int().nonnegative(),
  foundIds: z.array(z.string()),
  /** For the files that exist now. */
  known: knownFiles,
  /** The first folder without write permission; null: all can be written. */
  denied: z.object({ code: z.string(), path: z.string() }).nullable(),
  freeBytes: z.int().nonnegative().nullable(),
});
type ScannedMods = z.infer<typeof scannedMods>;

const mostFound = 500;
const mostNamed = 20;

/** Our files in the server's folder, and all others. */
export const scanMods = async (options: ScanOptions): Promise<ScannedMods> => {
  const { game, root, folders, items, known, signal } = options;
  const reader = createModFileReader(game, known);
  const installed: InstalledMod[] = [];
  for (const item of items) installed.push(await describeInstalled(item, options, reader, folders));
  const owned = new Set(items.flatMap(({ files }) => files.map(({ path }) => path)));
  const { found, count } = await findForeign(options, folders, owned, reader);
  signal.throwIfAborted();
  return {
    installed,
    found,
    foundCount: count,
    known: reader.asked,
    foundIds: await foreignIds(options),
    denied: await deniedOf(root, folders),
    freeBytes: await diskSpaceOf(root).then(
      ({ freeBytes }) => freeBytes,
      () => null,
    ),
  };
};

const describeInstalled = async (
  { files, ...item }: OwnedMod,
  { game, root, loader, signal }: ScanOptions,
  reader: ModFileReader,
  folders: readonly ModFolder[],
): Promise<InstalledMod> => {
  const changed: string[] = [];
  const mods: ModMetadata[] = [];
  for (const { path, sha512 } of files) {
    const facts = await reader.factsOf(join(root, path), signal);
    if (facts?.sha512 !== sha512) changed.push(path);
    mods.push(...modsFor(facts?.mods ?? [], loader));
    const isMark = folders.some(
      ({ holds }) => 'foldersWith' in holds && path.endsWith(`/${holds.foldersWith}`),
    );
    if (isMark) mods.push(...listOf(await readMark(join(root, path), game)));
  }
  return {
    ...item,
    files: files.slice(0, mostNamed).map(({ path, bytes }) => ({ path, bytes })),
    fileCount: files.length,
    changedFiles: changed.slice(0, mostNamed),
    metadata: mergedMetadata(mods),
  };
};

const listOf = (mod: ModMetadata | null): readonly ModMetadata[] => (mod === null ? [] : [mod]);

const readMark = async (path: string, game: GameId): Promise<ModMetadata | null> => {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile() || facts.size > 1024 * 1024) return null;
  const content = await readFile(path).catch(unlessGone);
  return content && gameOf(game).mods.readFolderMark(content);
};

/** A change, or someone else, has removed it in between. */
const unlessGone = ifAbsent(null);

/** In the folders for mods, only what the game recognizes as a mod. */
const findForeign = async (
  { game, root, loader, signal }: ScanOptions,
  folders: readonly ModFolder[],
  owned: ReadonlySet<string>,
  reader: ModFileReader,
): Promise<{ readonly found: FoundMod[]; readonly count: number }> => {
  const found: FoundMod[] = [];
  let count = 0;
  for (const { path: into, holds } of folders) {
    await demandSafe(join(root, into));
    const entries = await readdir(join(root, into), { withFileTypes: true }).catch(unlessGone);
    for (const entry of (entries ?? []).sort((one, other) => (one.name < other.name ? -1 : 1))) {
      signal.throwIfAborted();
      const path = `${into}/${entry.name}`;
      if (path.length > 500) continue;
      if ('files' in holds) {
        if (!entry.isFile() || owned.has(path) || !entry.name.toLowerCase().endsWith(holds.files)) continue;
        count += 1;
        if (found.length >= mostFound) continue;
        const facts = await reader.factsOf(join(root, path), signal);
        if (!facts) continue;
        const { mark: _, mods, ...told } = facts;
        found.push({ path, ...told, metadata: mergedMetadata(modsFor(mods, loader)) });
        continue;
      }
      if (entry.isDirectory()) await demandSafe(join(root, path));
      const mark = join(root, path, holds.foldersWith);
      const facts = entry.isDirectory() ? await stat(mark).catch(() => null) : null;
      if (!facts?.isFile() || owned.has(`${path}/${holds.foldersWith}`)) continue;
      count += 1;
      if (found.length >= mostFound) continue;
      found.push({
        path,
        bytes: await bytesBelow(join(root, path)),
        sha512: null,
        sha1: null,
        fingerprint: null,
        metadata: await readMark(mark, game),
        modifiedAt: facts.mtime.toISOString(),
      });
    }
  }
  return { found, count };
};

const demandSafe = async (folder: string): Promise<void> => {
  const facts = await lstat(folder).catch(() => null);
  if (facts?.isDirectory()) demandRootAlone(folder, facts);
};

const bytesBelow = async (folder: string): Promise<number> => {
  let bytes = 0;
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(unlessGone);
  for (const entry of entries ?? [])
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  return bytes;
};

const foreignIds = async ({ game, root, items }: ScanOptions): Promise<string[]> => {
  const { ids } = gameOf(game).mods;
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

const deniedOf = async (root: string, folders: readonly ModFolder[]): Promise<ScannedMods['denied']> => {
  for (const path of ['', ...folders.map((folder) => folder.path)]) {
    const whole = join(root, path);
    const denied = await access(whole, constants.W_OK).then(
      () => null,
      ({ code = '' }: NodeJS.ErrnoException) => (code === 'ENOENT' ? null : { code, path: whole }),
    );
    if (denied !== null) return denied;
  }
  return null;
};
