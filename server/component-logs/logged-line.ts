import type { FileHandle } from 'node:fs/promises';
import type { LogPosition } from './log-position.ts';

export interface LoggedLine {
  /** Where it begins. */
  readonly position: LogPosition;
  /** Without its end; bytes that are no UTF-8 are �. */
  readonly text: string;
  /** Only a piece of the line is here. */
  readonly isCut: boolean;
}

export const newline = 0x0a;
/** One read from the disk, in bytes. */
export const blockBytes = 64 * 1024;
/** The supervisor cuts lines long before; of what is longer, from another hand, no more is held than this. */
export const longestLine = 1024 * 1024;

/** Without the end of line, whichever it is. */
export const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/\r?\n$/, '');

/** Reads this range, or less where the file has ended. */
export const readRange = async (handle: FileHandle, from: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
};
