import { type FileHandle, open } from 'node:fs/promises';

const multiplier = 0x5bd1_e995;
const seed = 1;
const chunkBytes = 1024 * 1024;

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

/** Moves all bytes except tabs, line feeds, carriage returns and spaces to the front; returns their number. */
const dropBlanks = (chunk: Buffer): number => {
  let kept = 0;
  for (let at = 0; at < chunk.length; at += 1) {
    const byte = chunk[at] as number;
    if (byte === 9 || byte === 10 || byte === 13 || byte === 32) continue;
    chunk[kept] = byte;
    kept += 1;
  }
  return kept;
};

/** MurmurHash2 by Austin Appleby, 32 bit, over input in pieces. */
class Murmur2 {
  #hash: number;
  #block = 0;
  #bits = 0;

  constructor(length: number) {
    this.#hash = seed ^ length;
  }

  add(bytes: Buffer, length: number): void {
    let hash = this.#hash;
    let block = this.#block;
    let bits = this.#bits;
    for (let at = 0; at < length; at += 1) {
      block |= (bytes[at] as number) << bits;
      bits = (bits + 8) & 31;
      if (bits !== 0) continue;
      block = Math.imul(block, multiplier);
      hash = Math.imul(hash, multiplier) ^ Math.imul(block ^ (block >>> 24), multiplier);
      block = 0;
    }
    this.#hash = hash;
    this.#block = block;
    this.#bits = bits;
  }

  end(): number {
    let hash = this.#bits > 0 ? Math.imul(this.#hash ^ this.#block, multiplier) : this.#hash;
    hash = Math.imul(hash ^ (hash >>> 13), multiplier);
    return (hash ^ (hash >>> 15)) >>> 0;
  }
}

/**
 * CurseForge's fingerprint of a file, as its API accepts it in `POST /v1/fingerprints`: a hash of all bytes that are not blank.
 * The length is hashed first, so the file is read twice.
 */
export const fingerprintFile = async (path: string, signal: AbortSignal): Promise<number> => {
  await using file = await open(path, 'r');
  let length = 0;
  for await (const chunk of chunks(file, signal)) length += dropBlanks(chunk);
  const hash = new Murmur2(length);
  for await (const chunk of chunks(file, signal)) hash.add(chunk, dropBlanks(chunk));
  return hash.end();
};
