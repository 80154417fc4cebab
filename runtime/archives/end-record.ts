import { ArchiveError } from './archive.ts';
import type { ZipBytes } from './zip-bytes.ts';

/** PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.14 to 4.3.16. */
const endSignature = 0x0605_4b50;
const locatorSignature = 0x0706_4b50;
const end64Signature = 0x0606_4b50;
const endBytes = 22;
const locatorBytes = 20;
const end64Bytes = 56;

interface EndRecord {
  readonly entries: number;
  readonly directoryStart: number;
  readonly directoryEnd: number;
}

const refuse = (what: string) => new ArchiveError('damaged', `The archive is damaged: ${what}.`);

/**
 * Where the list of entries begins and ends. Readers trust different fields and must all find the same list, so every field
 * stored twice has to agree.
 */
export const readEndRecord = async (zip: ZipBytes, size: number): Promise<EndRecord> => {
  const tailStart = Math.max(0, size - endBytes - 0xffff);
  const tail = Buffer.from(await zip.at(tailStart, size - tailStart));
  const ends: number[] = [];
  let isCut = tail.length >= 4 && (await zip.at(0, 4)).readUInt32LE(0) === 0x0403_4b50;
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endSignature) continue;
    if (at + endBytes + tail.readUInt16LE(at + 20) === tail.length) ends.push(at);
    else isCut = true;
  }
  const [end] = ends;
  if (end === undefined)
    throw isCut
      ? refuse('it is cut off, or something follows its end')
      : new ArchiveError('not-an-archive', 'The file is not a zip archive.');
  if (ends.length > 1) throw refuse('it has two ends');

  const plain = tail.subarray(end);
  const stated = {
    disk: plain.readUInt16LE(4),
    directoryDisk: plain.readUInt16LE(6),
    entriesHere: plain.readUInt16LE(8),
    entries: plain.readUInt16LE(10),
    directoryBytes: plain.readUInt32LE(12),
    directoryStart: plain.readUInt32LE(16),
  };
  const locatorStart = tailStart + end - locatorBytes;
  const locator = locatorStart < 0 ? null : Buffer.from(await zip.at(locatorStart, locatorBytes));
  if (locator?.readUInt32LE(0) !== locatorSignature) return checked(stated, tailStart + end);

  const end64Start = Number(locator.readBigUInt64LE(8));
  if (end64Start + end64Bytes > locatorStart) throw refuse('its zip64 end is not where it says');
  const wide = Buffer.from(await zip.at(end64Start, end64Bytes));
  if (
    wide.readUInt32LE(0) !== end64Signature ||
    end64Start + 12 + Number(wide.readBigUInt64LE(4)) !== locatorStart
  )
    throw refuse('its zip64 end is not where it says');
  const stated64 = {
    disk: wide.readUInt32LE(16),
    directoryDisk: wide.readUInt32LE(20),
    entriesHere: Number(wide.readBigUInt64LE(24)),
    entries: Number(wide.readBigUInt64LE(32)),
    directoryBytes: Number(wide.readBigUInt64LE(40)),
    directoryStart: Number(wide.readBigUInt64LE(48)),
  };
  for (const [name, value] of Object.entries(stated) as [keyof typeof stated, number][]) {
    const isLeftToZip64 =
      value === (name.startsWith('directory') && name !== 'directoryDisk' ? 0xffff_ffff : 0xffff);
    if (!isLeftToZip64 && value !== stated64[name]) throw refuse('its two ends contradict each other');
  }
  return checked(stated64, end64Start);
};

const checked = (
  stated: {
    readonly disk: number;
    readonly directoryDisk: number;
    readonly entriesHere: number;
    readonly entries: number;
    readonly directoryBytes: number;
    readonly directoryStart: number;
  },
  directoryEnd: number,
): EndRecord => {
  const { disk, directoryDisk, entriesHere, entries, directoryBytes, directoryStart } = stated;
  if (disk !== 0 || directoryDisk !== 0 || entriesHere !== entries)
    throw refuse('it is one part of several; only archives in one file can be read');
  if (directoryStart + directoryBytes !== directoryEnd)
    throw refuse('its list of files is not where it says');
  return { entries, directoryStart, directoryEnd };
};
