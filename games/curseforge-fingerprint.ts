import { type FileHandle, open } from 'node:fs/promises';

const multiplier = 0x5bd1_e995;
const seed = 1;
const chunkBytes = 1024 * 1024;

/** Tab, line feed, carriage return and space are left out. */
const isBlank = (byte: number): boolean => byte === 9 || byte === 10 || byte === 13 || byte === 32;

async function* chunks(file: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/**
 * CurseForge's fingerprint of a file: MurmurHash2 (Austin Appleby, 32 bit) of all that is no blank, as its API takes it in
 * `POST /v1/fingerprints`. The length goes into the hash first, so that the file is read twice.
 */
export const fingerprintFile = async (path: string, signal: AbortSignal): Promise<number> => {
  await using file = await open(path, 'r');
  let length = 0;
  for await (const chunk of chunks(file, signal)) for (const byte of chunk) if (!isBlank(byte)) length += 1;

  let hash = seed ^ length;
  let block = 0;
  let filled = 0;
  for await (const chunk of chunks(file, signal))
    for (const byte of chunk) {
      if (isBlank(byte)) continue;
      block |= byte << filled;
      filled += 8;
      if (filled < 32) continue;
      block = Math.imul(block, multiplier);
      block = Math.imul(block ^ (block >>> 24), multiplier);
      hash = Math.imul(hash, multiplier) ^ block;
      block = 0;
      filled = 0;
    }
  if (filled > 0) hash = Math.imul(hash ^ block, multiplier);
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return (hash ^ (hash >>> 15)) >>> 0;
};
