import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { type ArchiveEntry, ArchiveError, type ArchiveLimits } from './archive.ts';
import { outsideFault, refusePath } from './check-paths.ts';
import { readEndRecord } from './end-record.ts';
import type { ZipBytes } from './zip-bytes.ts';

const isUtf8Flag = 0x800;
/** Info-ZIP's Unicode path. */
const unicodePath = 0x7075;
/** PKWARE's Unix and ASi's Unix fields; both can name what a link points to. */
const pkwareUnix = 0x000d;
const asiUnix = 0x756e;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const decodeUtf8 = (bytes: Buffer): string | null => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
};

/**
 * The name by which all readers know the entry, with `/`; null if it is in no encoding that a zip can have. Old archives use
 * CP437; macOS writes UTF-8 without declaring it.
 */
const entryName = (entry: Entry): string | null => {
  const raw = entry.fileNameRaw;
  const name = decodeUtf8(raw);
  const isSaidUtf8 = (entry.generalPurposeBitFlag & isUtf8Flag) !== 0;
  const second = entry.extraFields.find(
    ({ id, data }) =>
      id === unicodePath && data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(raw),
  );
  if (second !== undefined) {
    const other = decodeUtf8(second.data.subarray(5));
    if ((isSaidUtf8 || raw.every((byte) => byte < 0x80)) && other !== name)
      throw new ArchiveError('damaged', `The archive gives an entry two names: “${name}” and “${other}”.`);
    return other?.replaceAll('\\', '/') ?? null;
  }
  const decoded = name ?? (isSaidUtf8 ? null : getFileNameLowLevel(0, raw, [], true));
  // Before .NET 4.6.1, Windows programs wrote backslashes.
  return decoded?.replaceAll('\\', '/') ?? null;
};

/** @throws {ArchiveError} for anything but a file or a folder */
const checkKind = (entry: Entry, name: string): void => {
  const link = new ArchiveError('link', `“${name}” is a link.`);
  const check = (mode: number) => {
    const kind = mode & 0o170_000;
    if (kind === 0o120_000) throw link;
    if (kind !== 0 && kind !== 0o100_000 && kind !== 0o040_000)
      throw new ArchiveError('special-file', `“${name}” is neither a file nor a folder.`);
    if (kind === 0o100_000 && name.endsWith('/'))
      throw new ArchiveError('damaged', `“${name}” is a file and a folder at once.`);
  };
  check(entry.externalFileAttributes >>> 16);
  for (const { id, data } of entry.extraFields) {
    if (id === pkwareUnix && data.length > 12) throw link;
    if (id !== asiUnix || data.length < 14) continue;
    check(data.readUInt16LE(4));
    if (data.length > 14) throw link;
  }
};

/** An entry and where its bytes are. */
export interface PackedEntry extends ArchiveEntry {
  readonly isDeflated: boolean;
  readonly packedBytes: number;
  readonly start: number;
  readonly crc: number;
}

const damaged = (what: string, options?: ErrorOptions) =>
  new ArchiveError('damaged', `The archive is damaged: ${what}.`, options);

const isEncrypted = 0x1;
/** The sizes follow the data; the local header may not have them. */
const hasDescriptor = 0x8;
const isStrongEncrypted = 0x40;
const isMaskedDirectory = 0x2000;
const largestRatioFree = 1024 * 1024;
/** The list is held in memory: 65,535 paths of usual length take 10 MiB, but 12 GiB with names and comments as long as a zip allows. */
const largestDirectory = 32 * 1024 ** 2;

/**
 * Reads the list of entries and each entry's own header, and compares the two.
 * @throws {ArchiveError}
 */
export const readEntries = async (
  zip: ZipBytes,
  size: number,
  limits: ArchiveLimits,
): Promise<PackedEntry[]> => {
  const end = await readEndRecord(zip, size).catch((error: unknown) => {
    throw error instanceof ArchiveError ? error : damaged((error as Error).message, { cause: error });
  });
  if (end.entries > limits.entries)
    throw new ArchiveError('too-many-entries', `The archive has more than ${limits.entries} files.`);
  if (end.directoryEnd - end.directoryStart > largestDirectory)
    throw new ArchiveError(
      'too-large',
      `The archive's list of files is larger than ${largestDirectory / 1024 ** 2} MiB.`,
    );
  try {
    const file = await fromRandomAccessReaderPromise(zip, size, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    const listed: Entry[] = [];
    for await (const entry of file.eachEntry()) listed.push(entry);
    if (Number(file.readEntryCursor) !== end.directoryEnd || listed.length !== end.entries)
      throw damaged('its list of files is longer or shorter than it says');
    return await locate(file, listed, end.directoryStart, limits);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    const { message } = error as Error;
    // yauzl throws this before it returns the entry.
    if (message === 'strong encryption is not supported') throw encrypted();
    throw damaged(message, { cause: error });
  }
};

const encrypted = () => new ArchiveError('encrypted', 'The archive is encrypted.');

const locate = async (
  file: ZipFile,
  listed: readonly Entry[],
  directoryStart: number,
  limits: ArchiveLimits,
): Promise<PackedEntry[]> => {
  const named = listed.map((entry) => ({ entry, name: checkEntry(entry) }));
  let total = 0;
  for (const { entry, name } of named) {
    total += entry.uncompressedSize;
    if (total > limits.bytes)
      throw new ArchiveError('too-large', `The archive unpacks to more than ${limits.bytes} bytes.`);
    if (entry.uncompressedSize > Math.max(largestRatioFree, entry.compressedSize * limits.ratio))
      throw new ArchiveError('bomb', `“${name}” unpacks to more than ${limits.ratio} times its size.`);
  }
  const entries: PackedEntry[] = [];
  const folders = new Set<string>();
  let last = 0;
  for (const { entry, name } of named.toSorted(
    (one, other) => one.entry.relativeOffsetOfLocalHeader - other.entry.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < last)
      throw new ArchiveError('overlap', `“${name}” shares bytes with another file of the archive.`);
    const start = await dataStart(file, entry, name);
    last = start + entry.compressedSize;
    if (last > directoryStart)
      throw new ArchiveError('overlap', `“${name}” shares bytes with the archive's list of files.`);
    const isFolder = name.endsWith('/');
    const path = (isFolder ? name.slice(0, -1) : name).replace(/^(?:\.\/)+/, '');
    // Naming a folder twice adds nothing.
    if (isFolder && (path === '' || path === '.' || folders.has(path))) continue;
    if (isFolder) folders.add(path);
    entries.push({
      path,
      isFolder,
      bytes: entry.uncompressedSize,
      isDeflated: entry.compressionMethod === 8,
      packedBytes: entry.compressedSize,
      start,
      crc: entry.crc32,
    });
  }
  return entries;
};

/** @returns its name; where no encoding fits, with replacement characters, which `checkPaths` refuses */
const checkEntry = (entry: Entry): string => {
  const name = entryName(entry) ?? entry.fileNameRaw.toString('utf8').replaceAll('\\', '/');
  refusePath(outsideFault(name), name);
  if ((entry.generalPurposeBitFlag & (isEncrypted | isStrongEncrypted | isMaskedDirectory)) !== 0)
    throw encrypted();
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw new ArchiveError(
      'method',
      `“${name}” is compressed in a way (${entry.compressionMethod}) other than deflate.`,
    );
  checkKind(entry, name);
  if (entry.compressionMethod === 0 && entry.compressedSize !== entry.uncompressedSize)
    throw new ArchiveError('size', `“${name}” has another size than the archive says.`);
  if (name.endsWith('/') && entry.uncompressedSize > 0) throw damaged(`the folder “${name}” has content`);
  return name;
};

/** Where the entry's bytes begin; its own header has to match the list. */
const dataStart = async (file: ZipFile, entry: Entry, name: string): Promise<number> => {
  const local = await file.readLocalFileHeaderPromise(entry);
  if (!local.fileName.equals(entry.fileNameRaw)) throw damaged(`“${name}” has two names`);
  if (local.compressionMethod !== entry.compressionMethod)
    throw damaged(`“${name}” is compressed in two ways`);
  if ((local.generalPurposeBitFlag & isEncrypted) !== 0) throw encrypted();
  const isLater = (local.generalPurposeBitFlag & hasDescriptor) !== 0;
  const agrees = (here: number, there: number) =>
    here === there || (isLater && here === 0) || (here === 0xffff_ffff && local.extraFieldLength > 0);
  if (
    !agrees(local.compressedSize, entry.compressedSize) ||
    !agrees(local.uncompressedSize, entry.uncompressedSize) ||
    !(local.crc32 === entry.crc32 || (isLater && local.crc32 === 0))
  )
    throw damaged(`“${name}” has two sizes or checksums`);
  return local.fileDataStart;
};
