import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

/** Writes a .zip, one entry after another, with no more than one of them in memory. */
export interface ZipFile {
  /** @param name with slashes; letters, digits, dots, dashes, underscores */
  add(name: string, content: Buffer): Promise<void>;
  /** The file cannot be read before this. */
  finish(): Promise<void>;
}

interface Entry {
  readonly name: Buffer;
  /** The part of the header that is both before the entry and in the directory. */
  readonly facts: Buffer;
  readonly offset: number;
}

/** PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. */
const signatures = { entry: 0x04034b50, listed: 0x02014b50, end: 0x06054b50 } as const;
/** 2.0: a file may be deflated. */
const versionNeeded = 20;
const namesAreUtf8 = 0x0800;
const deflated = 8;
const madeOnUnix = 3 << 8;
/** A plain file that only its owner can read. */
const ownersFile = 0o100600 * 0x10000;

const deflate = promisify(deflateRaw);

/** @param file empty, and used by nothing else */
export const zipFile = (file: FileHandle, now: Date): ZipFile => {
  const entries: Entry[] = [];
  let offset = 0;
  const write = async (...parts: readonly Buffer[]) => {
    for (const part of parts) {
      await file.writeFile(part);
      offset += part.length;
    }
  };
  return {
    async add(name, content) {
      const packed = (await deflate(content)) as Buffer;
      const entry = { name: Buffer.from(name), facts: factsOf(name, content, packed, now), offset };
      await write(numbers([signatures.entry, 4]), entry.facts, numbers([0, 2]), entry.name, packed);
      entries.push(entry);
    },
    async finish() {
      const beginning = offset;
      for (const entry of entries)
        await write(
          numbers([signatures.listed, 4], [madeOnUnix | versionNeeded, 2]),
          entry.facts,
          // No extra field, no comment, the first and only disk, nothing known of the content.
          numbers([0, 2], [0, 2], [0, 2], [0, 2], [ownersFile, 4], [entry.offset, 4]),
          entry.name,
        );
      const length = offset - beginning;
      const count = entries.length;
      await write(
        numbers(
          [signatures.end, 4],
          [0, 2],
          [0, 2],
          [count, 2],
          [count, 2],
          [length, 4],
          [beginning, 4],
          [0, 2],
        ),
      );
    },
  };
};

const factsOf = (name: string, content: Buffer, packed: Buffer, now: Date): Buffer =>
  numbers(
    [versionNeeded, 2],
    [namesAreUtf8, 2],
    [deflated, 2],
    [timeOf(now), 2],
    [dateOf(now), 2],
    [crc32(content), 4],
    [packed.length, 4],
    [content.length, 4],
    [Buffer.byteLength(name), 2],
  );

/** In local time, in steps of two seconds. */
const timeOf = (at: Date): number => (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
/** From 1980, the first year of the format. */
const dateOf = (at: Date): number =>
  (Math.max(at.getFullYear() - 1980, 0) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();

/** Numbers with their widths in bytes, the lowest byte first. */
const numbers = (...all: readonly (readonly [number, number])[]): Buffer => {
  const buffer = Buffer.alloc(all.reduce((sum, [, width]) => sum + width, 0));
  let at = 0;
  for (const [number, width] of all) at = buffer.writeUIntLE(number, at, width);
  return buffer;
};
