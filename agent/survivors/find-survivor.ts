import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import {
  largestProfileBytes,
  readProfile,
  readStoredProfile,
  type SurvivorReading,
} from '#games/ark/arkprofile.ts';
import { openNamedFile } from '../folders/named-file.ts';
import { chooseWorld, findWorldFolders, type WorldFolder, worldOfCommand } from './world-folders.ts';

const sqliteSignature = 'SQLite format 3\0';
const mostStoreBytes = 256 * 1024 * 1024;

/**
 * Reads a profile that an Ascended world stores inside itself. Null: the world contains none of this player. The world is read
 * without a lock, so that the game never waits; one that changes during the read is refused.
 */
const readWorldStore = async (path: string, account: string): Promise<SurvivorReading | null> => {
  if (!(await isDatabase(path))) return null;
  const before = await stat(path);
  // Loaded late: only newer Ascended worlds need it. The single executable cannot import anything while it runs.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const address = pathToFileURL(path);
  address.search = '?immutable=1';
  let read: SurvivorReading | null;
  try {
    using database = new DatabaseSync(address, { readOnly: true });
    const store = 'from custom where key = ?';
    const size = database.prepare(`select length(value) as size ${store}`).get('GameModeCustomBytes')?.size;
    if (typeof size !== 'number') return null;
    if (size > mostStoreBytes) return { refused: 'what it holds of players is too large' };
    const value = database.prepare(`select value ${store}`).get('GameModeCustomBytes')?.value;
    read = value instanceof Uint8Array ? readStoredProfile(Buffer.from(value), account) : null;
  } catch (error) {
    read = { refused: `it cannot be read: ${(error as Error).message}` };
  }
  const after = await stat(path);
  return before.mtimeMs === after.mtimeMs && before.size === after.size && before.ino === after.ino
    ? read
    : { refused: 'the game was just writing it' };
};

const isDatabase = async (path: string): Promise<boolean> => {
  const file = await openNamedFile(path);
  try {
    const head = Buffer.alloc(sqliteSignature.length);
    await file.read(head, 0, head.length, 0);
    return head.toString('latin1') === sqliteSignature;
  } finally {
    await file.close();
  }
};

export interface SurvivorSearch {
  /** The server's folder, or the one that holds its world. */
  readonly folder: string;
  /** The game's start command; empty when it is unknown. */
  readonly command: readonly string[];
  /** `steam:…` or `eos:…`. */
  readonly platformId: string;
}

export const foundSurvivor = z.union([
  z.object({ number: z.string(), from: z.string() }),
  /** Why there is none, for people. */
  z.object({ number: z.null(), detail: z.string() }),
]);
export type FoundSurvivor = z.infer<typeof foundSurvivor>;

const triesOfFile = 3;

/** Looks up the number of a player's survivor on this server in the game's saves. Nothing is guessed. */
export const findSurvivor = async ({
  folder,
  command,
  platformId,
}: SurvivorSearch): Promise<FoundSurvivor> => {
  const account = /^(?:steam:(7656\d{13})|eos:([0-9a-f]{32}))$/i.exec(platformId)?.slice(1).find(Boolean);
  if (account === undefined) return none('Only Steam and EOS ids have profiles in ARK.');
  const chosen = chooseWorld(await findWorldFolders(folder), worldOfCommand(command));
  if ('refused' in chosen) return none(chosen.refused);
  const { world } = chosen;
  const shown = (path: string) => relative(folder, path) || basename(path);
  const file = await profileIn(world, account);
  if (file) return toFound(await readStable(file, account), shown(file));
  const newest = newestWorld(world);
  const stored = newest === null ? null : await readWorldStore(newest, account);
  if (newest !== null && stored) return toFound(stored, shown(newest));
  return none(`${shown(world.path)} has no profile of this player yet.`);
};

const none = (detail: string): FoundSurvivor => ({ number: null, detail });

const toFound = (read: SurvivorReading, from: string): FoundSurvivor =>
  'number' in read ? { number: read.number, from } : none(`${from} cannot be used: ${read.refused}.`);

const profileIn = async ({ path }: WorldFolder, account: string): Promise<string | null> => {
  const wanted = `${account}.arkprofile`.toLowerCase();
  const entries = await readdir(path, { withFileTypes: true });
  const file = entries.find((entry) => entry.isFile() && entry.name.toLowerCase() === wanted);
  return file ? join(path, file.name) : null;
};

/** In a folder with copies such as `TheIsland_WP_10.02.2026.ark`, the one that the game writes. */
const newestWorld = ({ path, worlds }: WorldFolder): string | null => {
  const own = worlds.find((world) => basename(world.path) === `${basename(path)}.ark`);
  return (own ?? worlds.toSorted((one, other) => other.writtenAtMs - one.writtenAtMs)[0])?.path ?? null;
};

/** Reads again if the game was just writing it. */
const readStable = async (path: string, account: string): Promise<SurvivorReading> => {
  for (let tries = 0; tries < triesOfFile; tries += 1) {
    const read = await readOnce(path, account).catch((error: NodeJS.ErrnoException) => ({
      refused: `it cannot be read (${error.code ?? error.message})`,
    }));
    if (read !== 'changed') return read;
  }
  return { refused: 'the game was just writing it' };
};

const readOnce = async (path: string, account: string): Promise<SurvivorReading | 'changed'> => {
  const file = await openNamedFile(path);
  try {
    const before = await file.stat();
    if (!before.isFile() || before.size > largestProfileBytes)
      return { refused: 'it is too large for a profile' };
    const bytes = Buffer.alloc(before.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const after = await file.stat();
    if (bytesRead !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      return 'changed';
    return readProfile(bytes, account);
  } finally {
    await file.close();
  }
};
