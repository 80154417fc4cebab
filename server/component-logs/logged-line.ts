import type { FileHandle } from 'node:fs/promises';
import type { LogPosition } from './log-position.ts';

export interface LoggedLine {
  /** Where it begins. */
  readonly position: LogPosition;
  /** Without its end; bytes that are not UTF-8 become �. */
  readonly text: string;
  /** This is only a piece of the line. */
  readonly isCut: boolean;
}

export const newline = 0x0a;
/** How much one read takes from the disk, in bytes. */
export const blockBytes = 64 * 1024;
/** The supervisor cuts lines far earlier; for longer ones, from other programs, no more than this is held. */
export const longestLine = 1024 * 1024;

/** Without the line ending of either kind. */
export const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/\r?\n$/, '');

/** Reads this range, or less if the file has ended. */
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
