import type { ModFile } from '#contracts/servers/agent-mods.ts';

export interface FetchOptions {
  /** The task that needs it: the API gives files and keys only to running tasks. */
  readonly taskId: string;
  readonly signal: AbortSignal;
  /** Bytes so far, and the total; null while that is unknown. */
  readonly onProgress: (done: number, total: number | null) => void;
}

/** A complete, verified file of the cache; it is not evicted before it is disposed. */
export interface HeldFile extends AsyncDisposable {
  readonly path: string;
  readonly bytes: number;
  readonly sha512: string;
  readonly sha1: string;
}

/** Mod files, downloaded once for all servers of this machine. */
export interface ModFiles {
  /**
   * From the cache, verified again, or downloaded. Bytes received before a lost connection are kept, and the download continues,
   * also in the next process.
   * @throws {ModFileError} with a message for people
   */
  fetch(file: ModFile, options: FetchOptions): Promise<HeldFile>;
}

/** Faults that only another file, key or setting can fix; all others are retried until the time runs out. */
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
