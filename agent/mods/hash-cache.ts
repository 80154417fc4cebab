import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { modMetadata, sha1, sha512 } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { fingerprintFile } from '#games/curseforge-fingerprint.ts';
import { gameOf } from '#games/games.ts';
import { isAbsent } from '#runtime/absent-file.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { isDiskFull } from '#runtime/disk-space.ts';
import { parseJson } from '#runtime/read-json.ts';
import { modsStateFolder, readOrNone } from './manifest.ts';

const readFileFacts = z.object({
  /** Size, time and inode: a file with another mark is read again. */
  mark: z.string(),
  bytes: z.int(),
  modifiedAt: z.iso.datetime(),
  sha512,
  sha1,
  fingerprint: z.int(),
  /** As each loader reads it. */
  mods: z.array(modMetadata),
});
type ModFileFacts = z.infer<typeof readFileFacts>;
export const knownFiles = z.record(z.string(), readFileFacts);
/** By absolute path. */
export type KnownFiles = z.infer<typeof knownFiles>;

/** The contents of mod files, read once while the files stay the same. */
export interface ModFileReader {
  /** Null: there is no such file. */
  factsOf(path: string, signal: AbortSignal): Promise<ModFileFacts | null>;
  /** The files that were asked for: all others are forgotten. */
  readonly asked: KnownFiles;
}

export const createModFileReader = (game: GameId, known: KnownFiles): ModFileReader => {
  const asked: KnownFiles = {};
  return {
    asked,
    async factsOf(file, signal) {
      const facts = await lstat(file).catch(() => null);
      if (!facts?.isFile()) return null;
      const mark = `${facts.size}-${facts.mtimeMs}-${facts.ino}`;
      const before = known[file];
      const read = before?.mark === mark ? before : await readFacts(file, mark, facts, game, signal);
      if (read) asked[file] = read;
      return read;
    },
  };
};

/** Null when a change, or someone else, has removed it in between. */
const readFacts = async (
  file: string,
  mark: string,
  { size, mtime }: Stats,
  game: GameId,
  signal: AbortSignal,
): Promise<ModFileFacts | null> => {
  try {
    return {
      mark,
      bytes: size,
      modifiedAt: mtime.toISOString(),
      ...(await hashesOf(file, signal)),
      fingerprint: await fingerprintFile(file, signal),
      mods: await metadataOf(file, game),
    };
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

const cachePath = (stateFolder: string): string => join(modsStateFolder(stateFolder), 'hashes.json');

/** It is a cache: damaged content is read again. */
export const readHashCache = async (stateFolder: string): Promise<KnownFiles> => {
  const text = await readOrNone(cachePath(stateFolder));
  return (text === null ? undefined : knownFiles.safeParse(parseJson(text)).data) ?? {};
};

export const keepHashCache = async (
  stateFolder: string,
  before: KnownFiles,
  now: KnownFiles,
): Promise<void> => {
  const text = JSON.stringify(now);
  if (text === JSON.stringify(before)) return;
  const path = cachePath(stateFolder);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFileAtomically(path, text, 0o600);
  } catch (error) {
    // The list is still answered: the next one reads the files again.
    if (!isDiskFull(error)) throw error;
  }
};

const hashesOf = async (
  path: string,
  signal: AbortSignal,
): Promise<{ readonly sha512: string; readonly sha1: string }> => {
  const long = createHash('sha512');
  const short = createHash('sha1');
  await pipeline(
    createReadStream(path, { highWaterMark: 1024 * 1024 }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        long.update(chunk);
        short.update(chunk);
      }
    },
    { signal },
  );
  return { sha512: long.digest('hex'), sha1: short.digest('hex') };
};

/** What each loader reads of it; none when the file has no metadata, or cannot be read. */
const metadataOf = async (path: string, game: GameId): Promise<ModFileFacts['mods']> => {
  try {
    await using archive = await openArchive(path);
    const { content } = await gameOf(game).mods.inspect(archive);
    return content.is === 'mods' ? content.mods : [];
  } catch (error) {
    if (error instanceof ArchiveError) return [];
    throw error;
  }
};
