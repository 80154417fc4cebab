import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export interface FileHashes {
  readonly sha512: string;
  readonly sha1: string;
}

/** Hashes that a source gives; either may be missing. */
export interface WantedHashes {
  readonly sha512?: string | undefined;
  readonly sha1?: string | undefined;
}

/** Both hashes that sources give, over the same bytes. */
export class FileHash {
  readonly #hashes: readonly [Hash, Hash] = [createHash('sha512'), createHash('sha1')];

  update(bytes: Buffer): void {
    for (const hash of this.#hashes) hash.update(bytes);
  }

  digest(): FileHashes {
    const [sha512, sha1] = this.#hashes;
    return { sha512: sha512.digest('hex'), sha1: sha1.digest('hex') };
  }
}

/** Adds the whole file to the hash. @returns its size */
export const hashFile = async (path: string, hash: FileHash, signal: AbortSignal): Promise<number> => {
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return bytes;
};

/** Whether all wanted hashes match. */
export const meets = (found: FileHashes, wanted: WantedHashes): boolean =>
  (wanted.sha512 === undefined || wanted.sha512 === found.sha512) &&
  (wanted.sha1 === undefined || wanted.sha1 === found.sha1);
