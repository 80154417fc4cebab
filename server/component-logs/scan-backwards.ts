import type { FileHandle } from 'node:fs/promises';
import { type ListedFile, openLogFile } from './log-files.ts';
import type { LogPosition } from './log-position.ts';
import { blockBytes, type LoggedLine, longestLine, newline, readRange, textOf } from './logged-line.ts';

/** What one block of a log contained. */
export interface ScannedBlock {
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
