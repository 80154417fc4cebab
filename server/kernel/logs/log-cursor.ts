import { reasons } from '#contracts/kernel/reasons.ts';
import { Problem } from '#runtime/problem.ts';

/** The position of a row in a log: logs are sorted by time, and by id within a millisecond. */
export interface LogPosition {
  readonly at: Date;
  readonly id: string;
}

export interface LogCursor {
  readonly towards: 'older' | 'newer';
  /** Continue beyond this row. */
  readonly position: LogPosition;
}

const pattern = /^([on])\.(\d{1,13})\.(\d{1,19})$/;

export const encodeLogCursor = ({ towards, position: { at, id } }: LogCursor): string =>
  Buffer.from(`${towards === 'older' ? 'o' : 'n'}.${at.getTime()}.${id}`).toString('base64url');

/** @throws {Problem} INVALID_REQUEST when it is not a cursor of ours */
export const decodeLogCursor = (text: string): LogCursor => {
  const [, towards, at, id] = pattern.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (at === undefined || id === undefined || BigInt(id) > 2n ** 63n - 1n)
    throw new Problem('INVALID_REQUEST', { detail: reasons['cursor-unknown'] });
  return { towards: towards === 'o' ? 'older' : 'newer', position: { at: new Date(Number(at)), id } };
};
