import { reasons } from '#contracts/kernel/reasons.ts';
import { Problem } from '#runtime/problem.ts';
import type { TimelinePosition } from './timeline-source.ts';

const pattern = /^(\d{1,13})\.(\d{1,2})\.(\d{1,19})$/;
const mostId = 2n ** 63n - 1n;
/** The end of the year 9999, which no row reaches. */
const endOfTime = new Date(253_402_300_799_999);

/** A time is whole: the sources store milliseconds, `timestamptz(3)`. */
export const encodeTimelineCursor = ({ at, rank, id }: TimelinePosition): string =>
  Buffer.from(`${at.getTime()}.${rank}.${id}`).toString('base64url');

/** @throws {Problem} INVALID_REQUEST when it is not a cursor of ours */
export const decodeTimelineCursor = (text: string): TimelinePosition => {
  const [, at, rank, id] = pattern.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (at === undefined || rank === undefined || id === undefined || BigInt(id) > mostId)
    throw new Problem('INVALID_REQUEST', { detail: reasons['cursor-unknown'] });
  return { at: new Date(Number(at)), rank: Number(rank), id };
};

/** The bound below which a source's rows come: at the same moment, lower ranks come below. */
export const belowFor = (rank: number, position: TimelinePosition | null): { at: Date; id: string } => {
  if (position === null) return { at: endOfTime, id: '0' };
  const { at, id } = position;
  return { at, id: rank < position.rank ? String(mostId) : rank > position.rank ? '0' : id };
};
