import type { LogPosition } from './log-cursor.ts';
import type { LogSlice } from './log-page.ts';

/** The rows of a slice come after `lower` and before `upper`. */
export interface LogBounds {
  readonly lower: LogPosition;
  readonly upper: LogPosition;
}

const dayMs = 86_400_000;
/** 9999-12-31; nothing is written later. */
const endOfTime = new Date(253_402_300_799_999);

const isBefore = (one: LogPosition, other: LogPosition): boolean =>
  one.at.getTime() === other.at.getTime()
    ? BigInt(one.id) < BigInt(other.id)
    : one.at.getTime() < other.at.getTime();

/** Comes before every row of that moment: ids begin with 1. */
const startOf = (at: Date | string): LogPosition => ({ at: new Date(at), id: '0' });

/**
 * Expired rows are out of bounds, deleted or not, so a search from the old end does not wade through deleted rows that the
 * index still holds.
 */
export const boundsOf = (
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  retentionDays: number,
  { order, beyond }: LogSlice,
): LogBounds => {
  const lowers = [startOf(new Date(Date.now() - retentionDays * dayMs))];
  const uppers = [startOf(to ?? endOfTime)];
  if (from !== undefined) lowers.push(startOf(from));
  if (beyond) (order === 'newest first' ? uppers : lowers).push(beyond);
  return {
    lower: lowers.reduce((one, other) => (isBefore(one, other) ? other : one)),
    upper: uppers.reduce((one, other) => (isBefore(one, other) ? one : other)),
  };
};
