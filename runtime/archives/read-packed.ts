import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { ArchiveError } from './archive.ts';
import type { PackedEntry } from './read-entries.ts';
import { type ByteSource, readExactly } from './zip-bytes.ts';

const inflate = promisify(inflateRaw);
const chunkBytes = 256 * 1024;

const wrongSize = ({ path }: PackedEntry) =>
  new ArchiveError('size', `“${path}” has another size than the archive says.`);
const wrongCrc = ({ path }: PackedEntry) =>
  new ArchiveError('crc', `“${path}” is damaged: its checksum is wrong.`);
const damaged = ({ path }: PackedEntry, cause: unknown) =>
  new ArchiveError('damaged', `“${path}” is damaged.`, { cause });

/** Reads a whole entry. @throws {ArchiveError} when it is not what the archive says */
export const readPacked = async (file: ByteSource, entry: PackedEntry): Promise<Buffer> => {
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
export async function* streamPacked(file: ByteSource, entry: PackedEntry): AsyncGenerator<Buffer> {
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
