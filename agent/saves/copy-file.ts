import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress, constants as zlib } from 'node:zlib';

export interface CopiedFile {
  readonly sha256: string;
  readonly bytes: number;
  /** Size in the backup. */
  readonly storedBytes: number;
  /** The game wrote it during the copy. */
  readonly isChanged: boolean;
}

interface Options {
  readonly signal: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
}

const chunkBytes = 1024 * 1024;
/** A link that has replaced the file is not followed; Windows has no such flag. */
const reading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
const options = { params: { [zlib.ZSTD_c_compressionLevel]: 1, [zlib.ZSTD_c_checksumFlag]: 1 } };

/** By its descriptor: the handle's own stream would hold the handle open for ever. */
const streamFrom = ({ fd }: FileHandle) =>
  createReadStream('', { fd, autoClose: false, highWaterMark: chunkBytes });
const streamTo = ({ fd }: FileHandle) => createWriteStream('', { fd, autoClose: false });

const counted = (onChunk: (chunk: Buffer) => void) =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      onChunk(chunk);
      done(null, chunk);
    },
  });

/** Copies a file of the game into a backup, compressed. */
export const storeFile = async (
  from: string,
  to: string,
  { signal, onBytes }: Options,
): Promise<CopiedFile> => {
  await using source = await open(from, reading);
  await using target = await open(to, 'wx', 0o600);
  const before = await source.stat();
  const hash = createHash('sha256');
  let bytes = 0;
  let storedBytes = 0;
  const readOn = counted((chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes?.(chunk.length);
  });
  const writeOn = counted((chunk) => {
    storedBytes += chunk.length;
  });
  await pipeline(streamFrom(source), readOn, createZstdCompress(options), writeOn, streamTo(target), {
    signal,
  });
  const after = await source.stat();
  const isChanged = before.size !== after.size || before.mtimeMs !== after.mtimeMs || bytes !== after.size;
  return { sha256: hash.digest('hex'), bytes, storedBytes, isChanged };
};

export interface RestoredFile {
  readonly sha256: string;
  readonly bytes: number;
}

/** Unpacks a file of a backup; it is on disk when this resolves. @param most bytes that it may have */
export const unpackFile = async (
  from: string,
  to: string,
  { signal, onBytes, most }: Options & { readonly most: number },
): Promise<RestoredFile> => {
  await using source = await open(from, reading);
  await using target = await open(to, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  const readOn = counted((chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > most) throw new Error('it is longer than its list says');
    onBytes?.(chunk.length);
  });
  await pipeline(streamFrom(source), createZstdDecompress(), readOn, streamTo(target), { signal });
  await target.sync();
  return { sha256: hash.digest('hex'), bytes };
};
