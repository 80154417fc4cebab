import { StringDecoder } from 'node:string_decoder';

export interface SplitLine {
  readonly text: string;
  /** The line was longer than the limit; its end was thrown away. */
  readonly cut: boolean;
}

export interface LineSplitter {
  /** The lines that this piece of output completes. */
  push(chunk: Buffer): SplitLine[];
  /** What stands there without an end of line, if anything. */
  end(): SplitLine[];
}

/** Splits output into lines without ever holding more than `limit` characters; bytes that are no UTF-8 become �. */
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
