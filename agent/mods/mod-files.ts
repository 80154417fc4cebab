import type { ModFile } from '#contracts/agent-mods.ts';

export interface FetchOptions {
  /** Of the task that wants it: the API gives files and keys only for tasks under way. */
  readonly taskId: string;
  readonly signal: AbortSignal;
  /** Bytes that are there by now, and all of them; null while that is not known. */
  readonly onProgress: (done: number, total: number | null) => void;
}

/** A whole, verified file of the cache; it is not pushed out before it is disposed. */
export interface HeldFile extends AsyncDisposable {
  readonly path: string;
  readonly bytes: number;
  readonly sha512: string;
  readonly sha1: string;
}

/** Files of mods, downloaded once for all servers of this machine. */
export interface ModFiles {
  /**
   * From the cache, verified again, or downloaded. What was downloaded before a loss is kept, and gone on with, also by the next process.
   * @throws {ModFileError} in words for people
   */
  fetch(file: ModFile, options: FetchOptions): Promise<HeldFile>;
}

/** Where nothing helps but another file, key or setting; all else is tried again until the time is over. */
export type ModFileFault =
  | 'hash'
  | 'size'
  | 'gone'
  | 'forbidden-address'
  | 'key'
  | 'disk-full'
  | 'away'
  | 'too-slow'
  | 'limited';

export class ModFileError extends Error {
  override name = 'ModFileError';
  readonly fault: ModFileFault;

  constructor(fault: ModFileFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
