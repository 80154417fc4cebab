import { open, readdir, stat, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the history; the next one has a higher number. */
interface Segment {
  readonly number: number;
  readonly path: string;
  readonly bytes: number;
  /** When it was last written, Unix time in milliseconds. */
  readonly writtenAtMs: number;
}

const name = /^lines-(\d{1,15})\.log$/;
const lineFeed = 0x0a;
/** Longer than any line: one read finds where a torn one began. */
const longestTornBytes = 64 * 1024;

export const segmentPath = (folder: string, number: number): string =>
  join(folder, `lines-${String(number).padStart(8, '0')}.log`);

/** Oldest first. */
export const readSegments = async (folder: string): Promise<Segment[]> => {
  const found: Segment[] = [];
  for (const entry of await readdir(folder)) {
    const digits = name.exec(entry)?.[1];
    if (digits === undefined) continue;
    const path = join(folder, entry);
    const facts = await stat(path).catch(() => null);
    if (facts?.isFile())
      found.push({ number: Number(digits), path, bytes: facts.size, writtenAtMs: facts.mtimeMs });
  }
  return found.sort((one, other) => one.number - other.number);
};

/** Cuts off a last line without an end, as left by a kill or a power cut. @returns the size of the whole lines */
export const dropTornLine = async ({ path, bytes }: Segment): Promise<number> => {
  const start = Math.max(0, bytes - longestTornBytes);
  const tail = Buffer.alloc(bytes - start);
  const file = await open(path, 'r');
  try {
    await file.read(tail, 0, tail.length, start);
  } finally {
    await file.close();
  }
  const whole = start + tail.lastIndexOf(lineFeed) + 1;
  if (whole < bytes) await truncate(path, whole);
  return whole;
};

/** Removes the oldest files until the others fit, and those that are too old; the newest one stays. */
export const pruneSegments = async (
  folder: string,
  {
    bytes,
    oldestMs,
  }: {
    readonly bytes: number;
    /** Null: the clock cannot be trusted now. */
    readonly oldestMs: number | null;
  },
): Promise<void> => {
  const segments = await readSegments(folder);
  let left = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  for (const segment of segments.slice(0, -1)) {
    if (left <= bytes && (oldestMs === null || segment.writtenAtMs >= oldestMs)) continue;
    await unlink(segment.path);
    left -= segment.bytes;
  }
};
