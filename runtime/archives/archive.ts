import { printable } from '../printable.ts';

/** Which limits an archive may not exceed; all are checked against what is really read, not only against what it says of itself. */
export interface ArchiveLimits {
  /** Files and folders. */
  readonly entries: number;
  /** Bytes of all files, unpacked. */
  readonly bytes: number;
  /** Unpacked to packed, of any file larger than 1 MiB. */
  readonly ratio: number;
  /** Characters of a path. */
  readonly path: number;
}

/** As many files as a zip names without zip64, 8 GiB; packs of today have some 5,000 files and 1 GiB. */
export const usualLimits: ArchiveLimits = { entries: 65_535, bytes: 8 * 1024 ** 3, ratio: 200, path: 240 };

export type ArchiveFault =
  | 'not-an-archive'
  | 'damaged'
  | 'encrypted'
  | 'method'
  | 'too-many-entries'
  | 'too-large'
  | 'bomb'
  | 'path-outside'
  | 'path-absolute'
  | 'path-name'
  | 'path-too-long'
  | 'duplicate'
  | 'case-collision'
  | 'file-and-folder'
  | 'link'
  | 'special-file'
  | 'overlap'
  | 'crc'
  | 'size';

/** Nothing of the archive may be used; `message` names the entry, in words for people. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
  readonly fault: ArchiveFault;

  constructor(fault: ArchiveFault, message: string, options?: ErrorOptions) {
    // Names in it are the archive's, and can be anything.
    super(printable(message.toWellFormed()).slice(0, 300), options);
    this.fault = fault;
  }
}

export interface ArchiveEntry {
  /** Relative, with `/`, checked; a folder's ends without it. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Unpacked, as the archive says. */
  readonly bytes: number;
}

export interface UnpackOptions {
  /** Where an entry goes, relative to the folder; null leaves it out. All of them unless given. */
  readonly place?: (entry: ArchiveEntry) => string | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (bytes: number) => void;
}

/**
 * A zip whose structure, sizes and kinds of entries were checked as a whole before any of it is used. No path leaves its folder.
 * Names that collide, or that some system cannot hold, wait for `checkPaths`: jars have classes `a` and `A`, and are never unpacked.
 */
export interface Archive extends AsyncDisposable {
  readonly entries: readonly ArchiveEntry[];
  /**
   * That all of it can lie on a disk, on every system; `unpack` does it by itself.
   * @throws {ArchiveError}
   */
  checkPaths(): void;
  /** @throws {ArchiveError} also where the file has more bytes than that, or where two have this path */
  read(path: string, mostBytes: number): Promise<Buffer>;
  /**
   * Writes files beneath an empty folder of the caller's own, each flushed to the disk; of a refused archive nothing stays.
   * @throws {ArchiveError}
   */
  unpack(
    folder: string,
    options: UnpackOptions,
  ): Promise<readonly { path: string; bytes: number; sha512: string }[]>;
}
