import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { patientRemoval } from '../busy-file.ts';
import { syncFolder } from '../disk-sync.ts';
import {
  type Archive,
  ArchiveError,
  type ArchiveLimits,
  type UnpackOptions,
  usualLimits,
} from './archive.ts';
import { checkTogether } from './check-paths.ts';
import { type PackedEntry, readEntries } from './read-entries.ts';
import { type ByteSource, readExactly, sourceOf, ZipBytes } from './zip-bytes.ts';

const inflate = promisify(inflateRaw);
const chunkBytes = 256 * 1024;

const wrongSize = ({ path }: PackedEntry) =>
  new ArchiveError('size', `“${path}” has another size than the archive says.`);
const wrongCrc = ({ path }: PackedEntry) =>
  new ArchiveError('crc', `“${path}” is damaged: its checksum is wrong.`);
const damaged = ({ path }: PackedEntry, cause: unknown) =>
  new ArchiveError('damaged', `“${path}” is damaged.`, { cause });

/** Reads a whole entry. @throws {ArchiveError} when it is not what the archive says */
const readPacked = async (file: ByteSource, entry: PackedEntry): Promise<Buffer> => {
  if (entry.start === null) throw damaged(entry, undefined);
  // Deflate adds less than that; anything more would only fill the memory.
  if (entry.packedBytes > entry.bytes + entry.bytes / 1000 + 65_536) throw wrongSize(entry);
  const packed = await readExactly(file, entry.start, entry.packedBytes);
  const bytes = entry.isDeflated ? await inflateWhole(packed, entry) : packed;
  if (bytes.length !== entry.bytes) throw wrongSize(entry);
  if (crc32(bytes) !== entry.crc) throw wrongCrc(entry);
  return bytes;
};

const inflateWhole = async (packed: Buffer, entry: PackedEntry): Promise<Buffer> => {
  try {
    // One byte more, so that a stream of exactly that size does not count as longer.
    return await inflate(packed, { maxOutputLength: entry.bytes + 1 });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? wrongSize(entry)
      : damaged(entry, error);
  }
};

/** Reads a large entry in pieces. @throws {ArchiveError} at the latest after the last one */
async function* streamPacked(file: ByteSource, entry: PackedEntry): AsyncGenerator<Buffer> {
  let crc = 0;
  let bytes = 0;
  for await (const piece of entry.isDeflated ? inflated(file, entry) : packedPieces(file, entry)) {
    bytes += piece.length;
    if (bytes > entry.bytes) throw wrongSize(entry);
    crc = crc32(piece, crc);
    yield piece;
  }
  if (bytes !== entry.bytes) throw wrongSize(entry);
  if (crc !== entry.crc) throw wrongCrc(entry);
}

async function* packedPieces(file: ByteSource, entry: PackedEntry): AsyncGenerator<Buffer> {
  if (entry.start === null) throw damaged(entry, undefined);
  const end = entry.start + entry.packedBytes;
  for (let at = entry.start; at < end; at += chunkBytes)
    yield await readExactly(file, at, Math.min(chunkBytes, end - at));
}

async function* inflated(file: ByteSource, entry: PackedEntry): AsyncGenerator<Buffer> {
  const stream = createInflateRaw({ chunkSize: chunkBytes });
  // If it fails, it destroys the stream, which then throws the error below.
  const fed = Promise.allSettled([pipeline(packedPieces(file, entry), stream)]);
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged(entry, error) : error;
  } finally {
    stream.destroy();
    await fed;
  }
}

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
const unpackEntries = async (
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

/**
 * Opens a zip; the caller must dispose it.
 * @throws {ArchiveError} when it cannot be trusted; errors of the file system unchanged
 */
export const openArchive = async (path: string, limits: ArchiveLimits = usualLimits): Promise<Archive> => {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await archiveOf(file, { size, limits, close: () => file.close() });
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** Opens a zip within a zip. @throws {ArchiveError} */
export const openArchiveBytes = (bytes: Buffer, limits: ArchiveLimits = usualLimits): Promise<Archive> =>
  archiveOf(sourceOf(bytes), { size: bytes.length, limits, close: () => Promise.resolve() });

const archiveOf = async (
  file: ByteSource,
  options: { readonly size: number; readonly limits: ArchiveLimits; readonly close: () => Promise<void> },
): Promise<Archive> => {
  const { size, limits, close } = options;
  const { entries, fault } = await readEntries(new ZipBytes(file, size), size, limits);
  const byPath = new Map(entries.flatMap((entry) => (entry.isFolder ? [] : [[entry.path, entry] as const])));
  const checkStructure = () => {
    if (fault !== null) throw fault;
  };
  return {
    entries,
    checkStructure,
    checkPaths() {
      checkStructure();
      checkTogether(entries, limits.path);
    },
    async read(wanted, mostBytes) {
      const entry = byPath.get(wanted);
      if (entry === undefined) throw new ArchiveError('damaged', `“${wanted}” is not in the archive.`);
      if (entry.bytes > mostBytes)
        throw new ArchiveError('too-large', `“${wanted}” is larger than ${mostBytes} bytes.`);
      return readPacked(file, entry);
    },
    async unpack(folder, unpacking) {
      checkStructure();
      return unpackEntries({ file, entries, limits }, folder, unpacking);
    },
    [Symbol.asyncDispose]: close,
  };
};
