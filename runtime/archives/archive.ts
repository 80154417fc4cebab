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

/** 20,000 files, 8 GiB; packs of today have some 5,000 files and 1 GiB. */
export const usualLimits: ArchiveLimits = { entries: 20_000, bytes: 8 * 1024 ** 3, ratio: 200, path: 240 };

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
    super(message, options);
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

/** A zip whose list of entries was checked as a whole before any of it is used. */
export interface Archive extends AsyncDisposable {
  readonly entries: readonly ArchiveEntry[];
  /** @throws {ArchiveError} also where the file has more bytes than that */
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
