import type { FileHandle } from 'node:fs/promises';
import { type ListedFile, type LogPosition, openLogFile } from './log-files.ts';

export interface LoggedLine {
  /** Where it begins. */
  readonly position: LogPosition;
  /** Without its end; bytes that are not UTF-8 become �. */
  readonly text: string;
  /** This is only a piece of the line. */
  readonly isCut: boolean;
}

const newline = 0x0a;
/** How much one read takes from the disk, in bytes. */
const blockBytes = 64 * 1024;
/** The supervisor cuts lines far earlier; for longer ones, from other programs, no more than this is held. */
const longestLine = 1024 * 1024;

/** Without the line ending of either kind. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/\r?\n$/, '');

/** Reads this range, or less if the file has ended. */
const readRange = async (handle: FileHandle, from: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
};

export interface ReadForwards {
  /** The oldest first. Of a line that comes in pieces all but the last piece are marked as cut. */
  readonly lines: readonly LoggedLine[];
  /** After the last of them: continue reading here. */
  readonly position: LogPosition;
  /** Whether there was more already. */
  readonly isMore: boolean;
}

/**
 * The next lines of a log, at most `longestLine` bytes of them; a longer line comes in pieces. A line without its end
 * yet is left for later.
 * @param files the oldest first
 */
export const readForwards = async (
  files: readonly ListedFile[],
  from: LogPosition,
): Promise<ReadForwards> => {
  const newest = files.at(-1);
  if (!newest) return { lines: [], position: from, isMore: false };
  // Someone removed all files, and counting started again.
  const start = from.file > newest.number ? { file: 0, offset: 0 } : from;
  for (const file of files) {
    if (file.number < start.file) continue;
    // Shorter than before: someone has emptied it.
    const offset = file.number === start.file && start.offset <= file.bytes ? start.offset : 0;
    const read = await readFrom(file, offset);
    if (!read) continue;
    const { lines, end, isWhole } = read;
    const isMore = !isWhole || file !== newest;
    // No line does not mean that the file has ended: there are blank lines.
    if (lines.length > 0 || !isWhole || !isMore)
      return { lines, position: { file: file.number, offset: end }, isMore };
  }
  return { lines: [], position: { file: newest.number, offset: newest.bytes }, isMore: false };
};

/** Null when the file was removed to make room. */
const readFrom = async (file: ListedFile, offset: number) => {
  await using handle = await openLogFile(file);
  if (!handle) return null;
  const wanted = Math.min(longestLine, file.bytes - offset);
  const block = await readRange(handle, offset, wanted);
  // Shorter than listed: someone has just emptied it.
  const isWhole = block.length < wanted || offset + block.length >= file.bytes;
  const isOver = isWhole && !file.isOpen;
  const lastEnd = block.lastIndexOf(newline) + 1;
  const isCut = lastEnd === 0 && block.length === longestLine && !isOver;
  const until = isCut || isOver ? block.length : lastEnd;
  const lines: LoggedLine[] = [];
  for (let begin = 0; begin < until; ) {
    const at = block.indexOf(newline, begin);
    const end = at < 0 || at >= until ? until : at + 1;
    const text = textOf(block.subarray(begin, end));
    const position = { file: file.number, offset: offset + begin };
    if (text.trim() !== '') lines.push({ position, text, isCut });
    begin = end;
  }
  return { lines, end: offset + until, isWhole };
};

/** After the newest complete line. */
export const endOfLog = async (files: readonly ListedFile[]): Promise<LogPosition> => {
  const newest = files.at(-1);
  if (!newest) return { file: 0, offset: 0 };
  const { number: file, bytes } = newest;
  await using handle = newest.isOpen ? await openLogFile(newest) : null;
  if (!handle) return { file, offset: bytes };
  for (let begin = bytes; begin > 0 && bytes - begin < longestLine; ) {
    const length = Math.min(blockBytes, begin);
    begin -= length;
    const at = (await readRange(handle, begin, length)).lastIndexOf(newline);
    if (at >= 0) return { file, offset: begin + at + 1 };
  }
  return { file, offset: bytes < longestLine ? 0 : bytes };
};

/** What one block of a log contained. */
interface ScannedBlock {
  /** The lines that are complete now, the newest first. */
  readonly lines: readonly LoggedLine[];
  /** The end of the line whose beginning is still to come: continue here. */
  readonly lineEnd: LogPosition;
  /** How far was read: continue here if one line alone exceeds what may be read. */
  readonly readTo: LogPosition;
  readonly bytes: number;
}

/**
 * Reads lines from newer to older, with few of them in memory, until the log ends.
 * @param files the oldest first
 * @param from lines that end here or before are read
 */
export async function* scanBackwards(
  files: readonly ListedFile[],
  from: LogPosition,
): AsyncGenerator<ScannedBlock> {
  for (const file of files.toReversed()) {
    if (file.number > from.file) continue;
    await using handle = await openLogFile(file);
    const end = file.number === from.file ? Math.min(from.offset, file.bytes) : file.bytes;
    // A file that was removed in the meantime made room: it was the oldest one.
    if (handle) yield* scanFile(handle, file.number, end);
  }
}

async function* scanFile(handle: FileHandle, file: number, end: number): AsyncGenerator<ScannedBlock> {
  const unfinished = createUnfinishedLine();
  let lineEnd = end;
  for (let readTo = end; readTo > 0; ) {
    const block = await readRange(handle, Math.max(readTo - blockBytes, 0), Math.min(blockBytes, readTo));
    if (block.length < Math.min(blockBytes, readTo)) return;
    readTo -= block.length;
    const lines: LoggedLine[] = [];
    const take = (offset: number, bytes: Buffer) => {
      const { text, isCut } = unfinished.complete(bytes);
      if (text.trim() !== '') lines.push({ position: { file, offset }, text, isCut });
    };
    let until = block.length;
    // The end of the very last line is not the end of the previous one.
    let lookFrom = unfinished.isEmpty() ? until - 2 : until - 1;
    for (;;) {
      const at = lookFrom < 0 ? -1 : block.lastIndexOf(newline, lookFrom);
      if (at < 0) break;
      take(readTo + at + 1, block.subarray(at + 1, until));
      until = at + 1;
      lineEnd = readTo + until;
      lookFrom = until - 2;
    }
    if (readTo > 0) unfinished.prepend(block.subarray(0, until));
    else take(0, block.subarray(0, until));
    yield {
      lines,
      lineEnd: { file, offset: readTo > 0 ? lineEnd : 0 },
      readTo: { file, offset: readTo },
      bytes: block.length,
    };
  }
}

/** A line that is read from its end: of one that is too long the beginning is kept, which says most. */
const createUnfinishedLine = () => {
  let pieces: Buffer[] = [];
  let held = 0;
  let isCut = false;
  return {
    isEmpty: () => held === 0,
    prepend(piece: Buffer) {
      pieces.unshift(piece);
      held += piece.length;
      while (held > longestLine) {
        held -= pieces.pop()?.length ?? 0;
        isCut = true;
      }
    },
    complete(beginning: Buffer) {
      const line = { text: textOf(Buffer.concat([beginning, ...pieces])), isCut };
      pieces = [];
      held = 0;
      isCut = false;
      return line;
    },
  };
};
