import { Problem } from '#runtime/problem.ts';

/** A place in a log that stays the same when files are put aside: the open file already has the number here that it will have then. */
export interface LogPosition {
  readonly file: number;
  /** Bytes from its beginning. */
  readonly offset: number;
}

export const formatPosition = ({ file, offset }: LogPosition): string => `${file}.${offset}`;

const pattern = /^(\d{1,10})\.(\d{1,15})$/;

/** Null when it is not one of ours. */
export const readPosition = (text: string): LogPosition | null => {
  const [, file, offset] = pattern.exec(text) ?? [];
  return file === undefined || offset === undefined ? null : { file: Number(file), offset: Number(offset) };
};

/** @throws {Problem} INVALID_REQUEST when it is not one of ours */
export const demandPosition = (cursor: string): LogPosition => {
  const position = readPosition(cursor);
  if (position) return position;
  throw new Problem('INVALID_REQUEST', { detail: 'This cursor comes from no page of this log.' });
};

export const isBefore = (one: LogPosition, other: LogPosition): boolean =>
  one.file < other.file || (one.file === other.file && one.offset < other.offset);
