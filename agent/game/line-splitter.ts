export interface LineSplitter {
  /** The lines that these bytes complete. */
  take(bytes: Uint8Array): string[];
  /** The rest without a line end; empty when there is none. */
  flush(): string[];
}

/** Bytes per line; the rest of a longer one is dropped up to its end. */
export const longestLineBytes = 16 * 1024;

const lineFeed = 0x0a;

/** Splits a stream of bytes into lines. Bytes that are not UTF-8 are shown as such. */
export const createLineSplitter = (): LineSplitter => {
  let parts: Uint8Array[] = [];
  let length = 0;

  const keep = (bytes: Uint8Array) => {
    const kept = bytes.subarray(0, longestLineBytes - length);
    if (kept.length === 0) return;
    // A copy: the reader reuses its buffer.
    parts.push(Uint8Array.from(kept));
    length += kept.length;
  };
  const complete = (): string => {
    const line = decoder.decode(Buffer.concat(parts));
    parts = [];
    length = 0;
    return line.replace(/\r$/, '').replaceAll('\0', '\u{fffd}');
  };

  return {
    take(bytes) {
      const lines: string[] = [];
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        keep(bytes.subarray(start, end));
        lines.push(complete());
        start = end + 1;
      }
      keep(bytes.subarray(start));
      return lines;
    },
    flush: () => (length === 0 ? [] : [complete()]),
  };
};

const decoder = new TextDecoder();
