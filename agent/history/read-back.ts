import { open, readFile } from 'node:fs/promises';

interface StoredLine {
  /** Byte in the file at which it begins. */
  readonly offset: number;
  readonly atMs: number;
  readonly text: string;
}

const chunkBytes = 256 * 1024;
const lineFeed = 0x0a;

/** Stored after the lines that were read up to that position; it is not a line itself. */
export const storedPosition = (position: string): string => `${positionMark}${position}\n`;
const positionMark = '# ';

/** The position of the newest lines that have one. @param segments newest first */
export const lastPosition = async (
  segments: readonly { readonly path: string }[],
): Promise<string | null> => {
  for (const { path } of segments) {
    const bytes = await readFile(path);
    const found = bytes.lastIndexOf(`\n${positionMark}`);
    if (found === -1 && !bytes.subarray(0, positionMark.length).equals(Buffer.from(positionMark))) continue;
    const start = found + 1;
    const end = bytes.indexOf(lineFeed, start);
    if (end !== -1) return bytes.toString('utf8', start + positionMark.length, end);
  }
  return null;
};

export const storedLine = (atMs: number, text: string): string => `${atMs.toString(36)} ${text}\n`;

/**
 * Lines of a file that begin before the byte `end`, chunk by chunk, newest first. Invalid lines are left out. No file stays open
 * between two chunks, and memory holds no more than a chunk and a line.
 */
export async function* readBack(path: string, end: number): AsyncGenerator<readonly StoredLine[]> {
  const file = await open(path, 'r');
  try {
    let position = Math.min(end, (await file.stat()).size);
    /** The end of a line that begins before the chunk. */
    let rest = Buffer.alloc(0);
    while (position > 0) {
      const from = Math.max(0, position - chunkBytes);
      const chunk = Buffer.alloc(position - from);
      await file.read(chunk, 0, chunk.length, from);
      const bytes = Buffer.concat([chunk, rest]);
      const { lines, unread } = linesOf(bytes, from);
      yield lines;
      rest = Buffer.from(bytes.subarray(0, unread));
      position = from;
    }
  } finally {
    await file.close();
  }
}

const linesOf = (bytes: Buffer, from: number): { lines: StoredLine[]; unread: number } => {
  const lines: StoredLine[] = [];
  let end = bytes.length;
  while (end > 0) {
    const before = end >= 2 ? bytes.lastIndexOf(lineFeed, end - 2) : -1;
    if (before === -1 && from > 0) break;
    const start = before + 1;
    const line = readLine(bytes.toString('utf8', start, end - 1), from + start);
    if (line) lines.push(line);
    end = start;
  }
  return { lines, unread: end };
};

const readLine = (stored: string, offset: number): StoredLine | null => {
  const space = stored.indexOf(' ');
  const time = stored.slice(0, Math.max(0, space));
  return /^[0-9a-z]{1,11}$/.test(time)
    ? { offset, atMs: Number.parseInt(time, 36), text: stored.slice(space + 1) }
    : null;
};
