import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { readJsonFile } from '#runtime/read-json.ts';
import { endOwner, isOwnerAlive, newOwner } from './cache-owner.ts';
import type { DownloadStart } from './download-fault.ts';
import { FileHash, type FileHashes, hashFile } from './hash-file.ts';

/** What is known about an incomplete file. */
const partialState = z.object({ validator: z.string().nullable(), total: z.int().nonnegative().nullable() });
type PartialState = z.infer<typeof partialState>;

/** A file that is being downloaded: it outlives the process, and the next one continues it. */
export interface PartialFile extends AsyncDisposable {
  readonly path: string;
  readonly start: DownloadStart;
  /** Empties it. */
  beginAgain(): Promise<void>;
  learn(state: PartialState): Promise<void>;
  write(bytes: Buffer): Promise<void>;
  /** Flushes it to disk. It accepts nothing more until it begins again. */
  finish(): Promise<FileHashes>;
  /** Deletes all of it. */
  discard(): Promise<void>;
}

const separator = '.';
const tooOldMs = 7 * 24 * 3600_000;

/** Each is a folder, named by its key and the process that writes it: renaming the folder takes it over, for one process alone. */
export const openPartialFile = async (
  folder: string,
  key: string,
  { isProven, signal }: { readonly isProven: boolean; readonly signal: AbortSignal },
): Promise<PartialFile> => {
  const owner = newOwner();
  const place = join(folder, `${key}${separator}${owner}`);
  const contentPath = join(place, 'content');
  const statePath = join(place, 'state.json');
  let state: PartialState = { validator: null, total: null };
  let hash = new FileHash();
  let done = 0;
  let file: FileHandle | null = null;

  try {
    await takeOver(folder, key, place);
    await mkdir(place, { recursive: true, mode: 0o700 });
    file = await open(contentPath, constants.O_RDWR | constants.O_CREAT, 0o600);
    state = await readState(statePath);
    // Only a hash can tell that nothing was lost when this machine crashed.
    if (isProven) done = await hashFile(contentPath, hash, signal);
    else await file.truncate(0);
  } catch (error) {
    await file?.close();
    endOwner(owner);
    throw error;
  }
  const content = file;
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await content.close();
    isClosed = true;
  };

  const learn = async (learnt: PartialState) => {
    if (learnt.validator === state.validator && learnt.total === state.total) return;
    state = learnt;
    await writeFileAtomically(statePath, JSON.stringify(state), 0o600);
  };
  return {
    path: contentPath,
    get start() {
      return { offset: done, ...state };
    },
    async beginAgain() {
      await content.truncate(0);
      hash = new FileHash();
      done = 0;
      await learn({ validator: null, total: null });
    },
    learn,
    async write(bytes) {
      const writing = writeAll(content, bytes, done);
      hash.update(bytes);
      await writing;
      done += bytes.length;
    },
    async finish() {
      await content.sync();
      return hash.digest();
    },
    async discard() {
      await close();
      await rm(place, { recursive: true, force: true });
    },
    async [Symbol.asyncDispose]() {
      await close();
      endOwner(owner);
    },
  };
};

const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
};

const readState = async (path: string): Promise<PartialState> =>
  (await readJsonFile(partialState, path)) ?? { validator: null, total: null };

const partialsIn = async (folder: string): Promise<{ name: string; key: string; owner: string }[]> =>
  (await readdir(folder)).map((name) => {
    const at = name.indexOf(separator);
    return { name, key: name.slice(0, at), owner: name.slice(at + 1) };
  });

const takeOver = async (folder: string, wanted: string, place: string): Promise<void> => {
  for (const { name, key, owner } of await partialsIn(folder)) {
    if (key !== wanted || isOwnerAlive(owner)) continue;
    const isTaken = await whenNotBusy(() => rename(join(folder, name), place)).then(
      () => true,
      ifAbsent(false),
    );
    if (isTaken) return;
  }
};

/** Bytes that another process has of it so far; null when none is downloading it. */
export const bytesOfAnother = async (folder: string, wanted: string): Promise<number | null> => {
  for (const { name, key, owner } of await partialsIn(folder)) {
    if (key !== wanted || !isOwnerAlive(owner)) continue;
    const found = await stat(join(folder, name, 'content')).catch(() => null);
    if (found) return found.size;
  }
  return null;
};

/** Deletes what no download has continued for a week; a time that far ahead was written by a wrong clock. */
export const sweepPartials = async (folder: string): Promise<void> => {
  for (const { name, owner } of await partialsIn(folder)) {
    if (isOwnerAlive(owner)) continue;
    const found = await stat(join(folder, name, 'content')).catch(() => null);
    if (!found || Math.abs(Date.now() - found.mtimeMs) > tooOldMs)
      await rm(join(folder, name), { recursive: true, force: true });
  }
};
