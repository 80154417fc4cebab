import { StringDecoder } from 'node:string_decoder';

export interface SplitLine {
  readonly text: string;
  /** The line was longer than the limit; its end was discarded. */
  readonly cut: boolean;
}

export interface LineSplitter {
  /** The lines that this chunk completes. */
  push(chunk: Buffer): SplitLine[];
  /** The last line without an end of line, if any. */
  end(): SplitLine[];
}

/** Splits output into lines without ever holding more than `limit` characters; bytes that are not UTF-8 become �. */
export const createLineSplitter = (limit: number): LineSplitter => {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let cut = false;

  const add = (piece: string) => {
    const room = limit - text.length;
    if (piece.length > room) cut = true;
    text += piece.slice(0, Math.max(room, 0));
  };
  const take = (): SplitLine => {
    const line = { text: text.replace(/\r$/, ''), cut };
    text = '';
    cut = false;
    return line;
  };

  return {
    push(chunk) {
      const pieces = decoder.write(chunk).split('\n');
      const last = pieces.pop() ?? '';
      const lines = pieces.map((piece) => {
        add(piece);
        return take();
      });
      add(last);
      return lines;
    },
    end() {
      add(decoder.end());
      return text === '' ? [] : [take()];
    },
  };
};
