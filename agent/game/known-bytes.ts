import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** What was read before a place in a log, to find that place again: another file of the same name may be a copy, or a new log. */
export interface KnownBefore {
  /** How many bytes directly before the place `digest` is of. */
  readonly bytes: number;
  readonly digest: string;
  /** Of the first bytes of the file. */
  readonly head: string;
}

const mostBefore = 256;
const headBytes = 256;
const tailBytes = 64 * 1024;
const chunkBytes = 64 * 1024;
/** A log that is larger is not searched; its lines are then new. */
const mostSearched = 512 * 1024 * 1024;
const lineFeed = 0x0a;

const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url').slice(0, 22);

/** May be shorter than asked, at the end of the file. */
const readAt = async (file: FileHandle, start: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(Math.max(0, length));
  let read = 0;
  while (read < buffer.length) {
    const { bytesRead } = await file.read(buffer, read, buffer.length - read, start + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
};

/** Whether these bytes are before that place of the file. */
export const isBefore = async (file: FileHandle, offset: number, known: KnownBefore): Promise<boolean> => {
  if (known.bytes > offset) return false;
  const bytes = await readAt(file, offset - known.bytes, known.bytes);
  return bytes.length === known.bytes && digestOf(bytes) === known.digest;
};

/** Whether the file begins like the one that had these bytes. */
export const hasHead = async (file: FileHandle, { head }: KnownBefore): Promise<boolean> => {
  const bytes = await readAt(file, 0, headBytes);
  return bytes.length === headBytes && digestOf(bytes) === head;
};

/** The last end of a line in the file that has these bytes before it; null when there is none. */
export const findAfter = async (file: FileHandle, known: KnownBefore): Promise<number | null> => {
  const { size } = await file.stat();
  if (known.bytes < mostBefore || size > mostSearched) return null;
  let found: number | null = null;
  for (let start = 0; start < size; start += chunkBytes) {
    const overlap = Math.min(start, known.bytes);
    const bytes = await readAt(file, start - overlap, overlap + chunkBytes);
    for (let end = bytes.indexOf(lineFeed, overlap); end !== -1; end = bytes.indexOf(lineFeed, end + 1)) {
      const from = end + 1 - known.bytes;
      if (from >= 0 && digestOf(bytes.subarray(from, end + 1)) === known.digest)
        found = start - overlap + end + 1;
    }
  }
  return found;
};

export const isLineStart = async (file: FileHandle, offset: number): Promise<boolean> =>
  offset === 0 || (await readAt(file, offset - 1, 1))[0] === lineFeed;

/** The beginning of a log and what was read last: of one file, or of several that continue each other. */
export interface KnownBytes {
  /** @param start where these bytes are in the file, which is where the earlier ones ended */
  add(bytes: Uint8Array, start: number): void;
  /** For a place among the bytes that were added last. */
  before(offset: number): KnownBefore;
  /**
   * Where the file first differs from what is known up to there, at the start of that line; null when it does not.
   * @param end looked at up to there
   */
  firstDifference(file: FileHandle, end: number): Promise<number | null>;
}

export const createKnownBytes = async (file: FileHandle, offset: number): Promise<KnownBytes> => {
  let head = await readAt(file, 0, Math.min(offset, headBytes));
  let tailStart = Math.max(0, offset - tailBytes);
  let tail = await readAt(file, tailStart, offset - tailStart);
  let headDigest = digestOf(head);

  const differenceIn = async (part: Buffer, start: number, file: FileHandle, end: number) => {
    const length = Math.min(part.length, end - start);
    if (length <= 0) return null;
    const found = await readAt(file, start, length);
    for (let at = 0; at < length; at += 1)
      if (found[at] !== part[at]) return start + part.subarray(0, at).lastIndexOf(lineFeed) + 1;
    return null;
  };

  return {
    add(bytes, start) {
      if (start < headBytes) {
        head = Buffer.from(Buffer.concat([head.subarray(0, start), bytes]).subarray(0, headBytes));
        headDigest = digestOf(head);
      }
      const whole = Buffer.concat([tail.subarray(0, Math.max(0, start - tailStart)), bytes]);
      const dropped = Math.max(0, whole.length - tailBytes - chunkBytes);
      tailStart = start + bytes.length - whole.length + dropped;
      tail = Buffer.from(whole.subarray(dropped));
    },
    before(offset) {
      const end = offset - tailStart;
      const bytes = tail.subarray(Math.max(0, end - mostBefore), end);
      return { bytes: bytes.length, digest: digestOf(bytes), head: headDigest };
    },
    firstDifference: async (other, end) =>
      (await differenceIn(head, 0, other, end)) ?? (await differenceIn(tail, tailStart, other, end)),
  };
};
