import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress, constants as zlib } from 'node:zlib';

interface CopiedFile {
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
const options = { params: { [zlib.ZSTD_c_compressionLevel]: 1, [zlib.ZSTD_c_checksumFlag]: 1 } };

/** No stream of the descriptor: one that is destroyed closes it, which the handle would do once more. */
const chunksOf = async function* (file: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
};
const writeTo = (file: FileHandle) => (chunks: AsyncIterable<Buffer>) => file.writeFile(chunks);

const counted = (onChunk: (chunk: Buffer) => void) =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      onChunk(chunk);
      done(null, chunk);
    },
  });

/** Copies a file of the game into a backup, compressed. */
export const storeFile = async (
  source: FileHandle,
  target: FileHandle,
  { signal, onBytes }: Options,
): Promise<CopiedFile> => {
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
  await pipeline(chunksOf(source), readOn, createZstdCompress(options), writeOn, writeTo(target), {
    signal,
  });
  const after = await source.stat();
  const isChanged = before.size !== after.size || before.mtimeMs !== after.mtimeMs || bytes !== after.size;
  return { sha256: hash.digest('hex'), bytes, storedBytes, isChanged };
};

interface RestoredFile {
  readonly sha256: string;
  readonly bytes: number;
}

/** Unpacks a file of a backup; it is on disk when this resolves. @param most bytes that it may have */
export const unpackFile = async (
  source: FileHandle,
  target: FileHandle,
  { signal, onBytes, most }: Options & { readonly most: number },
): Promise<RestoredFile> => {
  const hash = createHash('sha256');
  let bytes = 0;
  const readOn = counted((chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > most) throw new Error('it is longer than its list says');
    onBytes?.(chunk.length);
  });
  await pipeline(chunksOf(source), createZstdDecompress(), readOn, writeTo(target), { signal });
  await target.sync();
  return { sha256: hash.digest('hex'), bytes };
};
