import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { type ArchiveEntry, ArchiveError, type ArchiveLimits } from './archive.ts';
import { outsideFault, refusePath } from './check-paths.ts';
import { readEndRecord } from './end-record.ts';
import { findJavaArchive, type JavaArchive, plainEnd } from './java-end.ts';
import { type ZipBytes, ZipView } from './zip-bytes.ts';

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

/** For anything but a file or a folder, as programs that unpack it see it; Java reads all of them as files. */
const kindFault = (entry: Entry, name: string): ArchiveError | null => {
  const link = new ArchiveError('link', `“${name}” is a link.`);
  const faultOf = (mode: number): ArchiveError | null => {
    const kind = mode & 0o170_000;
    if (kind === 0o120_000) return link;
    const isUsual = kind === 0 || kind === 0o100_000 || kind === 0o040_000;
    return isUsual ? null : new ArchiveError('special-file', `“${name}” is neither a file nor a folder.`);
  };
  let fault = faultOf(entry.externalFileAttributes >>> 16);
  for (const { id, data } of entry.extraFields) {
    if (id === pkwareUnix && data.length > 12) fault ??= link;
    if (id !== asiUnix || data.length < 14) continue;
    fault ??= faultOf(data.readUInt16LE(4)) ?? (data.length > 14 ? link : null);
  }
  return fault;
};

const rootFault = (name: string): ArchiveError | null =>
  // The folder itself, as some build tools list it.
  name !== '/' && outsideFault(name) === 'path-absolute'
    ? new ArchiveError('path-absolute', `“${name}” is an absolute path.`)
    : null;

/** Jars that hide their classes from other programs have such entries. */
const folderFault = (entry: Entry, name: string): ArchiveError | null => {
  if (!name.endsWith('/')) return null;
  if (entry.uncompressedSize > 0) return damaged(`the folder “${name}” has content`);
  const isFile = ((entry.externalFileAttributes >>> 16) & 0o170_000) === 0o100_000;
  return isFile ? damaged(`“${name}” is a file and a folder at once`) : null;
};

/** An entry and where its bytes are. */
export interface PackedEntry extends ArchiveEntry {
  readonly isDeflated: boolean;
  readonly packedBytes: number;
  /** Null: nowhere in the file. */
  readonly start: number | null;
  readonly crc: number;
}

interface ReadEntries {
  /** As Java lists them. */
  readonly entries: PackedEntry[];
  /** Why another reader could find something else in these bytes; null: all agree. */
  readonly fault: ArchiveError | null;
}

const damaged = (what: string, options?: ErrorOptions) =>
  new ArchiveError('damaged', `The archive is damaged: ${what}.`, options);

const isEncrypted = 0x1;
/** The sizes follow the data; the local header may not have them. */
const hasDescriptor = 0x8;
const isStrongEncrypted = 0x40;
const isMaskedDirectory = 0x2000;
/** No archive of that size fills a disk. */
const smallTotal = 64 * 1024 ** 2;
/** The list is held in memory: 65,535 paths of usual length take 10 MiB, but 12 GiB with names and comments as long as a zip allows. */
const largestDirectory = 32 * 1024 ** 2;

/** Where the list is, and yauzl's view of it. */
interface Listing extends JavaArchive {
  readonly entries: number;
  readonly view: ZipView | null;
  readonly fault: ArchiveError | null;
}

/**
 * Reads the list of entries and each entry's own header, and compares the two.
 * @throws {ArchiveError} for what neither Java nor an unpacking may use
 */
export const readEntries = async (
  zip: ZipBytes,
  size: number,
  limits: ArchiveLimits,
): Promise<ReadEntries> => {
  try {
    const listing = await findListing(zip, size, limits);
    const { directoryStart, directoryEnd, from, view } = listing;
    const shown = view === null ? size : directoryEnd - from + plainEndBytes;
    const file = await fromRandomAccessReaderPromise(view ?? zip, shown, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    const listed: Entry[] = [];
    for await (const entry of file.eachEntry()) listed.push(entry);
    const shift = view === null ? 0 : from;
    if (Number(file.readEntryCursor) + shift !== directoryEnd || listed.length !== listing.entries)
      throw damaged('its list of files is longer or shorter than it says');
    const { entries, fault } = await locate(file, listed, directoryStart - shift, limits);
    return {
      entries: entries.map((entry) => ({
        ...entry,
        start: entry.start === null ? null : entry.start + shift,
      })),
      fault: listing.fault ?? fault,
    };
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    const { message } = error as Error;
    // yauzl throws this before it returns the entry.
    if (message === 'strong encryption is not supported') throw encrypted();
    throw damaged(message, { cause: error });
  }
};

const plainEndBytes = 22;

/** By every field that is stored twice where they agree, else as Java finds it. @throws {ArchiveError} */
const findListing = async (zip: ZipBytes, size: number, limits: ArchiveLimits): Promise<Listing> => {
  const end = await readEndRecord(zip, size).catch((error: unknown) =>
    error instanceof ArchiveError ? error : damaged((error as Error).message, { cause: error }),
  );
  const java = await findJavaArchive(zip, size);
  if (java === null) throw end instanceof ArchiveError ? end : damaged('Java finds no archive in it');
  const isSame = !(end instanceof ArchiveError) && end.directoryStart === java.directoryStart;
  const most = () =>
    new ArchiveError('too-many-entries', `The archive has more than ${limits.entries} files.`);
  if (isSame && end.entries > limits.entries) throw most();
  if (java.directoryEnd - java.directoryStart > largestDirectory)
    throw new ArchiveError(
      'too-large',
      `The archive's list of files is larger than ${largestDirectory / 1024 ** 2} MiB.`,
    );
  if (isSame) return { ...java, entries: end.entries, view: null, fault: null };
  const { record, entries } = await plainEnd(zip, java);
  if (entries > limits.entries) throw most();
  const fault = end instanceof ArchiveError ? end : damaged('it has two ends');
  return {
    ...java,
    entries,
    view: new ZipView(zip, { from: java.from, to: java.directoryEnd, end: record }),
    fault,
  };
};

const encrypted = () => new ArchiveError('encrypted', 'The archive is encrypted.');

const locate = async (
  file: ZipFile,
  listed: readonly Entry[],
  directoryStart: number,
  limits: ArchiveLimits,
): Promise<ReadEntries> => {
  const named = listed.map((entry) => ({ entry, name: checkEntry(entry) }));
  let total = 0;
  let packed = 0;
  for (const { entry } of named) {
    total += entry.uncompressedSize;
    packed += entry.compressedSize;
    if (total > limits.bytes)
      throw new ArchiveError('too-large', `The archive unpacks to more than ${limits.bytes} bytes.`);
  }
  if (total > Math.max(smallTotal, packed * limits.ratio))
    throw new ArchiveError('bomb', `The archive unpacks to more than ${limits.ratio} times its size.`);

  const faults = named.flatMap(({ entry, name }) => rootFault(name) ?? kindFault(entry, name) ?? []);
  const starts = new Map<Entry, number>();
  let last = 0;
  for (const { entry, name } of named.toSorted(
    (one, other) => one.entry.relativeOffsetOfLocalHeader - other.entry.relativeOffsetOfLocalHeader,
  )) {
    const folder = folderFault(entry, name);
    if (folder !== null) faults.push(folder);
    if (entry.relativeOffsetOfLocalHeader < last)
      faults.push(new ArchiveError('overlap', `“${name}” shares bytes with another file of the archive.`));
    const local = await readLocal(file, entry, name);
    if (local.fault !== null) faults.push(local.fault);
    if (local.start === null) continue;
    starts.set(entry, local.start);
    last = local.start + entry.compressedSize;
    if (last > directoryStart)
      faults.push(new ArchiveError('overlap', `“${name}” shares bytes with the archive's list of files.`));
  }

  const entries: PackedEntry[] = [];
  const folders = new Set<string>();
  for (const { entry, name } of named) {
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
      start: starts.get(entry) ?? null,
      crc: entry.crc32,
    });
  }
  return { entries, fault: faults[0] ?? null };
};

/** @returns its name; where no encoding fits, with replacement characters, which `checkPaths` refuses */
const checkEntry = (entry: Entry): string => {
  const name = entryName(entry) ?? entry.fileNameRaw.toString('utf8').replaceAll('\\', '/');
  // Java opens no archive with such a name as a file system, which loaders do.
  if (outsideFault(name) === 'path-outside') refusePath('path-outside', name);
  if ((entry.generalPurposeBitFlag & (isEncrypted | isStrongEncrypted | isMaskedDirectory)) !== 0)
    throw encrypted();
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw new ArchiveError(
      'method',
      `“${name}” is compressed in a way (${entry.compressionMethod}) other than deflate.`,
    );
  if (entry.compressionMethod === 0 && entry.compressedSize !== entry.uncompressedSize)
    throw new ArchiveError('size', `“${name}” has another size than the archive says.`);
  return name;
};

/** Where the entry's bytes begin, and how its own header differs from the list, which Java goes by. */
const readLocal = async (
  file: ZipFile,
  entry: Entry,
  name: string,
): Promise<{ readonly start: number | null; readonly fault: ArchiveError | null }> => {
  let local: Awaited<ReturnType<ZipFile['readLocalFileHeaderPromise']>>;
  try {
    local = await file.readLocalFileHeaderPromise(entry);
  } catch (error) {
    return { start: null, fault: damaged((error as Error).message, { cause: error }) };
  }
  const isLater = (local.generalPurposeBitFlag & hasDescriptor) !== 0;
  const agrees = (here: number, there: number) =>
    here === there || (isLater && here === 0) || (here === 0xffff_ffff && local.extraFieldLength > 0);
  const difference = (): ArchiveError | null => {
    if (!local.fileName.equals(entry.fileNameRaw)) return damaged(`“${name}” has two names`);
    if (local.compressionMethod !== entry.compressionMethod)
      return damaged(`“${name}” is compressed in two ways`);
    if ((local.generalPurposeBitFlag & isEncrypted) !== 0) return encrypted();
    const isSame =
      agrees(local.compressedSize, entry.compressedSize) &&
      agrees(local.uncompressedSize, entry.uncompressedSize) &&
      (local.crc32 === entry.crc32 || (isLater && local.crc32 === 0));
    return isSame ? null : damaged(`“${name}” has two sizes or checksums`);
  };
  return { start: local.fileDataStart, fault: difference() };
};
