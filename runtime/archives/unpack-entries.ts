import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { patientRemoval } from '../busy-file.ts';
import { syncFolder } from '../disk-sync.ts';
import { ArchiveError, type ArchiveLimits, type UnpackOptions } from './archive.ts';
import { checkTogether } from './check-paths.ts';
import type { PackedEntry } from './read-entries.ts';
import { readPacked, streamPacked } from './read-packed.ts';
import type { ByteSource } from './zip-bytes.ts';

/** Smaller files are inflated in one call, off the main thread, without the cost of a stream. */
const smallBytes = 1024 * 1024;
/** Run at the same time: enough to keep the disk busy with flushes while others inflate. */
const workers = 16;

interface Placed {
  readonly entry: PackedEntry;
  readonly path: string;
}

interface UnpackedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha512: string;
}

/** The caller has checked the archive's structure; the paths that files get are checked here. */
export const unpackEntries = async (
  archive: {
    readonly file: ByteSource;
    readonly entries: readonly PackedEntry[];
    readonly limits: ArchiveLimits;
  },
  folder: string,
  options: UnpackOptions,
): Promise<readonly UnpackedFile[]> => {
  const placed = placeEntries(archive.entries, options);
  checkTogether(
    placed.map(({ entry, path }) => ({ path, isFolder: entry.isFolder })),
    archive.limits.path,
  );
  const root = resolve(folder);
  if ((await readdir(root)).length > 0) throw new Error(`${root} is not empty`);
  try {
    const folders = foldersOf(placed);
    for (const path of folders) await mkdir(join(root, path));
    const files = await writeFiles(archive.file, root, placed, options);
    for (const path of ['', ...folders].reverse()) await syncFolder(join(root, path));
    return files;
  } catch (error) {
    for (const name of await readdir(root)) await rm(join(root, name), patientRemoval);
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? new ArchiveError('case-collision', 'Two files of the archive are one on this disk.', { cause: error })
      : error;
  }
};

const placeEntries = (entries: readonly PackedEntry[], options: UnpackOptions): Placed[] => {
  const placed: Placed[] = [];
  for (const entry of entries) {
    const path = options.place === undefined ? entry.path : options.place(entry);
    if (path !== null && !(path === '' && entry.isFolder)) placed.push({ entry, path });
  }
  return placed;
};

/** A folder comes before those in it. */
const foldersOf = (placed: readonly Placed[]): string[] => {
  const folders = new Set<string>();
  const add = (path: string) => {
    if (path === '.' || folders.has(path)) return;
    add(dirname(path));
    folders.add(path);
  };
  for (const { entry, path } of placed) add(entry.isFolder ? path : dirname(path));
  return [...folders];
};

const writeFiles = async (
  file: ByteSource,
  root: string,
  placed: readonly Placed[],
  { signal, onProgress }: UnpackOptions,
): Promise<UnpackedFile[]> => {
  const files = placed.filter(({ entry }) => !entry.isFolder);
  const unpacked: UnpackedFile[] = [];
  let done = 0;
  let next = 0;
  let isOver = false;
  const advance = (bytes: number) => {
    done += bytes;
    onProgress?.(done);
  };
  const work = async () => {
    try {
      for (let at = next++; at < files.length && !isOver; at = next++) {
        const { entry, path } = files[at] as Placed;
        signal.throwIfAborted();
        unpacked[at] = { path, bytes: entry.bytes, sha512: await writeFile(join(root, path), entry) };
      }
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  const writeFile = async (path: string, entry: PackedEntry): Promise<string> => {
    const hash = createHash('sha512');
    await using target = await open(path, 'wx');
    for await (const piece of pieces(file, entry)) {
      signal.throwIfAborted();
      hash.update(piece);
      await target.writeFile(piece);
      advance(piece.length);
    }
    await target.sync();
    return hash.digest('hex');
  };
  const ends = await Promise.allSettled(Array.from({ length: workers }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return unpacked;
};

async function* pieces(file: ByteSource, entry: PackedEntry): AsyncGenerator<Buffer> {
  if (entry.bytes <= smallBytes && entry.packedBytes <= smallBytes) yield await readPacked(file, entry);
  else yield* streamPacked(file, entry);
}
