import { UnreadableSettingsError } from './settings-file.ts';

/**
 * A settings file as text whose untouched parts become the same bytes again. Bytes in a code page or in UTF-8 are mapped one by
 * one, since only ASCII is searched for; only values are decoded.
 */
interface SettingsText {
  readonly text: string;
  readonly newline: '\n' | '\r\n' | '\r';
  readonly isUtf16: boolean;
  /** A value as people write it. */
  decode(value: string): string;
  encode(value: string): string;
  toBytes(text: string): Buffer;
}

const utf16Mark = '\uFEFF';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** For games without an encoding in their files it is UTF-8 or the legacy code page. */
const decodeBytes = (value: string): string => {
  const bytes = Buffer.from(value, 'latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return value;
  }
};

const isUtf8 = (bytes: Buffer): boolean => {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** @throws {UnreadableSettingsError} when the bytes are not text, or end in half a letter */
export const openSettingsText = (content: Buffer): SettingsText => {
  if (content.length === 0) throw new UnreadableSettingsError('it is empty; the game may be writing it');
  const mark = content.subarray(0, 2).toString('latin1');
  if (mark === '\xFF\xFE') return openUtf16(content, (bytes) => bytes);
  if (mark === '\xFE\xFF') return openUtf16(content, (bytes) => Buffer.from(bytes).swap16());
  if (content.includes(0)) throw new UnreadableSettingsError('it has an unknown encoding');
  const text = content.toString('latin1');
  const asUtf8 = isUtf8(content);
  return {
    text,
    newline: newlineOf(text),
    isUtf16: false,
    decode: decodeBytes,
    encode: (value) => (asUtf8 ? Buffer.from(value, 'utf8').toString('latin1') : value),
    toBytes: (changed) => Buffer.from(changed, 'latin1'),
  };
};

const openUtf16 = (content: Buffer, swap: (bytes: Buffer) => Buffer): SettingsText => {
  if (content.length % 2 === 1)
    throw new UnreadableSettingsError('it ends within a letter; the game may be writing it');
  const text = swap(content).toString('utf16le');
  return {
    text,
    newline: newlineOf(text),
    isUtf16: true,
    decode: (value) => value,
    encode: (value) => value,
    toBytes: (changed) => swap(Buffer.from(changed, 'utf16le')),
  };
};

const newlineOf = (text: string): SettingsText['newline'] =>
  text.includes('\r\n') ? '\r\n' : text.includes('\n') || !text.includes('\r') ? '\n' : '\r';

/** Removes the byte order mark that may precede the first line. */
export const withoutMark = (line: string): string =>
  line.startsWith(utf16Mark) ? line.slice(1) : line.startsWith('\xEF\xBB\xBF') ? line.slice(3) : line;

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Replaces the text at these places, which must not overlap. */
export const replacePlaces = (
  text: string,
  changes: readonly (Place & { readonly text: string })[],
): string => {
  let changed = '';
  let at = 0;
  for (const { start, end, text: put } of [...changes].sort((a, b) => a.start - b.start)) {
    changed += text.slice(at, start) + put;
    at = end;
  }
  return changed + text.slice(at);
};

/** Each line's place without its line break, which may be a carriage return alone. */
export const linePlaces = function* (text: string): Generator<Place> {
  const lineBreak = /\r\n|\r|\n/g;
  let start = 0;
  for (const { 0: end, index } of text.matchAll(lineBreak)) {
    yield { start, end: index };
    start = index + end.length;
  }
  if (start < text.length) yield { start, end: text.length };
};
