import { isUtf8 } from 'node:buffer';

/** Why bytes are no text that can be relied upon; in words that hold no part of it. */
export interface TextFault {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly kind: 'not-utf8' | 'mixed' | 'zeros' | 'broken';
  readonly message: string;
}

interface DecodedText {
  /** A byte order mark of UTF-8 stays, since it is part of the file. */
  readonly text: string;
  readonly from: 'utf-8' | 'utf-16' | 'utf-16-tail';
}

const faults: Readonly<Record<TextFault['kind'], string>> = {
  'not-utf8': 'is not saved as UTF-8; save the file as UTF-8',
  mixed: 'is saved in another encoding (UTF-16) than the lines before it; save the whole file as UTF-8',
  zeros: 'holds zero bytes, as after a power failure; put the file back from a backup',
  broken: 'is cut off, or continued in another encoding than UTF-16; correct it, and save the file as UTF-8',
};

const faultAt = (line: number, kind: TextFault['kind']): TextFault => ({ line, kind, message: faults[kind] });

/** In UTF-8, and in UTF-16 once it is decoded, no part of a letter looks like a line end. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);

const lineAfter = (text: string): number => linesOf(text).length;

/**
 * The text of a file that a person has written, in UTF-8 or UTF-16 of either order, with its mark or without. Lines that
 * PowerShell's `>>` has added in UTF-16 to a file in UTF-8 are read, if they leave no doubt.
 */
export const decodeText = (bytes: Buffer): DecodedText | TextFault => {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') return decodeUtf16(bytes.subarray(2), mark === 'feff');
  const zero = bytes.indexOf(0);
  if (zero >= 0) return decodeWithZeros(bytes, zero);
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8'), from: 'utf-8' }
    : faultAt(foreignLine(bytes), 'not-utf8');
};

export const isTextFault = (read: DecodedText | TextFault): read is TextFault => 'kind' in read;

/** The first line that is not UTF-8. */
const foreignLine = (bytes: Buffer): number =>
  linesOf(bytes.toString('latin1')).findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;

const decodeUtf16 = (bytes: Buffer, isBigEndian: boolean): DecodedText | TextFault => {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const text = (isBigEndian ? Buffer.from(whole).swap16() : whole).toString('utf16le');
  const zero = text.indexOf('\0');
  if (zero >= 0) return faultAt(lineAfter(text.slice(0, zero)), 'zeros');
  return whole.length === bytes.length && text.isWellFormed()
    ? { text: text.replace(/^\uFEFF/, ''), from: 'utf-16' }
    : faultAt(lineAfter(text), 'broken');
};

/** Without a mark before all: the zero bytes of its letters tell where UTF-16 begins. */
const decodeWithZeros = (bytes: Buffer, zero: number): DecodedText | TextFault => {
  const littleEndian = zero - 1;
  const hasMark = (at: number, mark: string) => at >= 2 && bytes.toString('hex', at - 2, at) === mark;
  for (const [start, isBigEndian, mark] of [
    [littleEndian, false, 'fffe'],
    [zero, true, 'feff'],
  ] as const) {
    if (start < 0) continue;
    const end = hasMark(start, mark) ? start - 2 : start;
    const read = decodeTail(bytes.subarray(0, end), bytes.subarray(start), isBigEndian);
    if (read !== null) return read;
  }
  const line = lineAfter(bytes.toString('latin1', 0, Math.max(littleEndian, 0)));
  // No two letters of settings in UTF-16 have their zero bytes side by side.
  return faultAt(line, bytes.includes('\0\0') ? 'zeros' : 'mixed');
};

const decodeTail = (head: Buffer, tail: Buffer, isBigEndian: boolean): DecodedText | null => {
  const read = decodeUtf16(tail, isBigEndian);
  if (isTextFault(read)) return null;
  if (head.length === 0) return read;
  // Every second byte is zero: nothing but UTF-16 looks like that, and nothing of UTF-8 follows it.
  const isBeyondDoubt = tail.every((byte, index) => (index % 2 === (isBigEndian ? 0 : 1)) === (byte === 0));
  if (!isBeyondDoubt || !isUtf8(head) || !/[\r\n]$/.test(head.toString('latin1'))) return null;
  return { text: head.toString('utf8') + read.text, from: 'utf-16-tail' };
};
