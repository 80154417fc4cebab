const interpretAsCommand = 255;
const subnegotiation = 250;
const endOfSubnegotiation = 240;
const firstNegotiation = 251;
const newline = 10;

/** Bytes of a line that are kept; the rest of a longer one is dropped. */
const longestLineBytes = 256 * 1024;
/** Each piece costs much more than the single byte that it may contain. */
const mostPieces = 512;

interface LineReader {
  /** The lines that these bytes complete, without their breaks. */
  push(bytes: Buffer): readonly string[];
  /** The text since the last line break, when it is short enough for a prompt. */
  partial(): string;
  /** Bytes since the last line break. */
  partialBytes(): number;
  /** Telnet's own commands have arrived and no text: a Telnet server that waits for their answers, which no game does. */
  isOnlyNegotiated(): boolean;
}

const longestPromptBytes = 256;

/** Reads lines of UTF-8 from pieces split anywhere, without telnet's own commands and NULs. */
export const createLineReader = (): LineReader => {
  const telnet = createTelnetFilter();
  let hasText = false;
  let pieces: Buffer[] = [];
  let size = 0;

  const keep = (piece: Buffer) => {
    if (piece.length === 0) return;
    const room = longestLineBytes - size;
    if (room > 0) pieces.push(piece.subarray(0, room));
    size += piece.length;
    if (pieces.length > mostPieces) pieces = [Buffer.concat(pieces)];
  };

  return {
    push(bytes) {
      const text = telnet.strip(bytes);
      hasText ||= text.length > 0;
      const lines: string[] = [];
      let start = 0;
      for (let end = text.indexOf(newline); end !== -1; end = text.indexOf(newline, start)) {
        keep(text.subarray(start, end));
        lines.push(Buffer.concat(pieces).toString().replace(/\r$/, ''));
        pieces = [];
        size = 0;
        start = end + 1;
      }
      keep(text.subarray(start));
      return lines;
    },
    partial: () => (size > longestPromptBytes ? '' : Buffer.concat(pieces).toString()),
    partialBytes: () => size,
    isOnlyNegotiated: () => telnet.hasCommands() && !hasText,
  };
};

/** Removes IAC sequences, even those split between two pieces, and NULs. The byte of IAC never occurs in UTF-8. */
const createTelnetFilter = () => {
  let state: 'text' | 'command' | 'option' | 'inside' | 'inside-command' = 'text';
  let hasCommands = false;
  const strip = (bytes: Buffer): Buffer => {
    const text = Buffer.allocUnsafe(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      if (state === 'text') {
        if (byte === interpretAsCommand) {
          state = 'command';
          hasCommands = true;
        } else if (byte !== 0) text[length++] = byte;
      } else if (state === 'command') {
        if (byte === subnegotiation) state = 'inside';
        else state = byte >= firstNegotiation && byte !== interpretAsCommand ? 'option' : 'text';
      } else if (state === 'option') state = 'text';
      else if (state === 'inside') state = byte === interpretAsCommand ? 'inside-command' : 'inside';
      else state = byte === endOfSubnegotiation ? 'text' : 'inside';
    }
    return text.subarray(0, length);
  };
  return { strip, hasCommands: () => hasCommands };
};
