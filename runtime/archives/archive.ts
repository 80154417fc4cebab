import { printable } from '../printable.ts';

/** Limits of an archive; all are checked against the bytes really read, not only against what its headers say. */
export interface ArchiveLimits {
  /** Files and folders. */
  readonly entries: number;
  /** Bytes of all files, unpacked. */
  readonly bytes: number;
  /**
   * Unpacked to packed size of all files together, once they unpack to more than 64 MiB: one file may be a height map of a single
   * value, which deflate packs to a thousandth.
   */
  readonly ratio: number;
  /** Characters in a path. */
  readonly path: number;
}

/** As many entries as a zip can list without zip64, and 8 GiB; today's packs have some 5,000 files and 1 GiB. */
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

/** The whole archive is refused; `message` names the entry, in words for people. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
  readonly fault: ArchiveFault;

  constructor(fault: ArchiveFault, message: string, options?: ErrorOptions) {
    // Names in it come from the archive and can be anything.
    super(printable(message.toWellFormed()).slice(0, 300), options);
    this.fault = fault;
  }
}

export interface ArchiveEntry {
  /** Relative, with `/`, checked; a folder's path has no trailing slash. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Unpacked size according to the archive. */
  readonly bytes: number;
}

export interface UnpackOptions {
  /** Where an entry goes, relative to the folder; null leaves it out. By default all entries are unpacked. */
  readonly place?: (entry: ArchiveEntry) => string | null;
  readonly signal: AbortSignal;
  /** @param bytes unpacked so far */
  readonly onProgress?: (bytes: number) => void;
}

/**
 * A zip whose sizes and kinds of entries were checked before any of it is used. No path leaves its folder. A jar is never unpacked:
 * it is read as Java reads it, also where other readers would find another archive in the same bytes, and its classes may be named
 * `a` and `A`. What is unpacked has to be the same for every reader, and storable on every system.
 */
export interface Archive extends AsyncDisposable {
  /** In the order of the archive's list. */
  readonly entries: readonly ArchiveEntry[];
  /**
   * Checks that all readers find the same archive; `unpack` calls it itself.
   * @throws {ArchiveError}
   */
  checkStructure(): void;
  /**
   * Checks that every system can store all entries on disk, too.
   * @throws {ArchiveError}
   */
  checkPaths(): void;
  /** Of several entries with this path, the one that Java reads: the last. @throws {ArchiveError} also when it has more bytes than that */
  read(path: string, mostBytes: number): Promise<Buffer>;
  /**
   * Writes the files into an empty folder that the caller owns and flushes each one to disk; if the archive is refused, nothing
   * is left there.
   * @throws {ArchiveError}
   */
  unpack(
    folder: string,
    options: UnpackOptions,
  ): Promise<readonly { path: string; bytes: number; sha512: string }[]>;
}
