import { crc32 } from 'node:zlib';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import { ArchiveError } from './archive.ts';

const isUtf8Flag = 0x800;
/** Info-ZIP's Unicode path. */
const unicodePath = 0x7075;
/** PKWARE's Unix and ASi's Unix fields; both can name what a link points to. */
const pkwareUnix = 0x000d;
const asiUnix = 0x756e;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const decodeUtf8 = (bytes: Buffer): string | null => {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
};

/**
 * The name by which all readers know the entry, with `/`; null if it is in no encoding that a zip can have. Old archives use
 * CP437; macOS writes UTF-8 without declaring it.
 */
export const entryName = (entry: Entry): string | null => {
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
export const checkKind = (entry: Entry, name: string): void => {
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
