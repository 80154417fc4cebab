import { ArchiveError } from './archive.ts';
import type { ZipBytes } from './zip-bytes.ts';

const endSignature = 0x0605_4b50;
const locatorSignature = 0x0706_4b50;
const end64Signature = 0x0606_4b50;
const entrySignature = 0x0201_4b50;
const localSignature = 0x0403_4b50;
const endBytes = 22;
const locatorBytes = 20;
const end64Bytes = 56;
const entryBytes = 46;

/** Where Java finds an archive in a file. */
export interface JavaArchive {
  /** Where offsets in it count from; what lies before it is ignored. */
  readonly from: number;
  readonly directoryStart: number;
  readonly directoryEnd: number;
}

interface Stated {
  readonly end: number;
  readonly directoryBytes: number;
  readonly directoryStart: number;
}

/**
 * The archive as `java.util.zip.ZipFile` finds it (OpenJDK, `ZipFile.Source.findEND` and `initCEN`): the last end record whose comment
 * fills the file, or that leads to a list of entries and a first entry, whatever lies before and behind. Null: Java finds none.
 */
export const findJavaArchive = async (zip: ZipBytes, size: number): Promise<JavaArchive | null> => {
  const tailStart = Math.max(0, size - endBytes - 0xffff);
  const tail = Buffer.from(await zip.at(tailStart, size - tailStart));
  const signatureAt = async (at: number): Promise<number | null> =>
    at >= 0 && at + 4 <= size ? (await zip.at(at, 4)).readUInt32LE(0) : null;
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endSignature) continue;
    const record = tail.subarray(at, at + endBytes);
    const end = tailStart + at;
    const stated = await widened(zip, {
      end,
      directoryBytes: record.readUInt32LE(12),
      directoryStart: record.readUInt32LE(16),
    });
    const directoryStart = stated.end - stated.directoryBytes;
    const from = directoryStart - stated.directoryStart;
    const fills = at + endBytes + record.readUInt16LE(20) === tail.length;
    if (directoryStart < 0 || from < 0) {
      if (fills) return null;
      continue;
    }
    const isThere =
      fills ||
      ((await signatureAt(directoryStart)) === entrySignature &&
        (await signatureAt(from)) === localSignature);
    if (isThere) return { from, directoryStart, directoryEnd: stated.end };
  }
  return null;
};

/** By the zip64 end before it, if there is one that agrees. */
const widened = async (zip: ZipBytes, stated: Stated): Promise<Stated> => {
  const locatorStart = stated.end - locatorBytes;
  if (locatorStart < 0) return stated;
  const locator = await zip.at(locatorStart, locatorBytes);
  if (locator.readUInt32LE(0) !== locatorSignature) return stated;
  const end = Number(locator.readBigUInt64LE(8));
  if (end + end64Bytes > locatorStart) return stated;
  const wide = await zip.at(end, end64Bytes);
  if (wide.readUInt32LE(0) !== end64Signature) return stated;
  const [directoryBytes, directoryStart] = [wide.readBigUInt64LE(40), wide.readBigUInt64LE(48)].map(Number);
  const agrees = (value: number, other: number | undefined) => value === 0xffff_ffff || value === other;
  if (!agrees(stated.directoryBytes, directoryBytes) || !agrees(stated.directoryStart, directoryStart))
    return stated;
  return { end, directoryBytes: directoryBytes ?? 0, directoryStart: directoryStart ?? 0 };
};

/**
 * An end record for it that all readers understand. Java counts the entries itself.
 * @throws {ArchiveError}
 */
export const plainEnd = async (
  zip: ZipBytes,
  { from, directoryStart, directoryEnd }: JavaArchive,
): Promise<{ readonly record: Buffer; readonly entries: number }> => {
  const directory = Buffer.from(await zip.at(directoryStart, directoryEnd - directoryStart));
  let entries = 0;
  for (let at = 0; at + entryBytes <= directory.length; entries += 1) {
    if (directory.readUInt32LE(at) !== entrySignature) break;
    at +=
      entryBytes +
      directory.readUInt16LE(at + 28) +
      directory.readUInt16LE(at + 30) +
      directory.readUInt16LE(at + 32);
  }
  const start = directoryStart - from;
  if (entries >= 0xffff || start >= 0xffff_ffff)
    throw new ArchiveError('damaged', 'The archive is damaged: its end does not say how large it is.');
  const record = Buffer.alloc(endBytes);
  record.writeUInt32LE(endSignature, 0);
  record.writeUInt16LE(entries, 8);
  record.writeUInt16LE(entries, 10);
  record.writeUInt32LE(directory.length, 12);
  record.writeUInt32LE(start, 16);
  return { record, entries };
};
