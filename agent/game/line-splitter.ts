import { createLineDecoder } from './line-encoding.ts';

interface SplitLine {
  readonly text: string;
  /** Where it ends in the bytes that completed it, behind its line feed. */
  readonly end: number;
}

interface LineSplitter {
  /** The lines that these bytes complete. */
  split(bytes: Uint8Array): SplitLine[];
  take(bytes: Uint8Array): string[];
  /** The rest without a line end; empty when there is none. */
  flush(): string[];
}

/** Bytes per line; the rest of a longer one is dropped up to its end. */
export const longestLineBytes = 16 * 1024;

const lineFeed = 0x0a;

/**
 * Splits a stream of bytes into lines, each in its own encoding: a log may change it in the middle.
 * @param encoding of lines that are not UTF-8
 */
export const createLineSplitter = (encoding?: string): LineSplitter => {
  const decode = createLineDecoder(encoding);
  let parts: Uint8Array[] = [];
  let length = 0;

  const keep = (bytes: Uint8Array) => {
    let start = 0;
    // A log that was cut under its writer begins with a hole of NULs; in UTF-16 one is left of a line feed.
    if (length === 0) while (start < bytes.length && bytes[start] === 0) start += 1;
    const kept = bytes.subarray(start, start + longestLineBytes - length);
    if (kept.length === 0) return;
    // A copy: the reader reuses its buffer.
    parts.push(Uint8Array.from(kept));
    length += kept.length;
  };
  const complete = (): string => {
    const line = decode(Buffer.concat(parts), length === longestLineBytes);
    parts = [];
    length = 0;
    return line.replace(/\r$/, '').replaceAll('\0', '\u{fffd}');
  };
  const split = (bytes: Uint8Array): SplitLine[] => {
    const lines: SplitLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      keep(bytes.subarray(start, end));
      lines.push({ text: complete(), end: end + 1 });
      start = end + 1;
    }
    keep(bytes.subarray(start));
    return lines;
  };

  return {
    split,
    take: (bytes) => split(bytes).map(({ text }) => text),
    flush: () => (length === 0 ? [] : [complete()]),
  };
};
