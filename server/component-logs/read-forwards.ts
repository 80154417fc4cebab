import { type ListedFile, openLogFile } from './log-files.ts';
import type { LogPosition } from './log-position.ts';
import { blockBytes, type LoggedLine, longestLine, newline, readRange, textOf } from './logged-line.ts';

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
