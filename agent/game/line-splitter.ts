export interface LineSplitter {
  /** The lines that are complete with these bytes. */
  take(bytes: Uint8Array): string[];
  /** What stands there without an end; empty when nothing does. */
  flush(): string[];
}

/** Bytes of one line; the rest of a longer one is dropped up to its end. */
export const longestLineBytes = 16 * 1024;

const lineFeed = 0x0a;

/** Cuts a stream of bytes into lines. What is no UTF-8 is shown as such. */
export const createLineSplitter = (): LineSplitter => {
  let parts: Uint8Array[] = [];
  let length = 0;

  const keep = (bytes: Uint8Array) => {
    const kept = bytes.subarray(0, longestLineBytes - length);
    if (kept.length === 0) return;
    // A copy: the reader's buffer is used again.
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
