import { type Kysely, sql } from 'kysely';
import type { EventRow } from '#contracts/operations/event-row.ts';
import type { Tables } from '../database/tables.ts';
import { eventRowOf, type StoredEvent } from './read-events.ts';

/** A place in the order in which events are streamed: everything up to it has been seen, nothing after it. */
export interface FeedPosition {
  /** The transaction that wrote the last event seen; or one that has written nothing yet, with id 0. */
  readonly writtenIn: bigint;
  readonly id: bigint;
}

interface FeedSlice {
  readonly events: EventRow[];
  /** Where it ends. */
  readonly end: FeedPosition;
  /** There is more before the horizon. */
  readonly isCut: boolean;
}

const pattern = /^(\d{1,19})-(\d{1,19})$/;
const largest = 2n ** 63n - 1n;

export const encodeFeedCursor = ({ writtenIn, id }: FeedPosition): string => `${writtenIn}-${id}`;

/** Null when it is not one of ours. */
export const decodeFeedCursor = (text: string): FeedPosition | null => {
  const [, writtenIn, id] = pattern.exec(text) ?? [];
  if (writtenIn === undefined || id === undefined) return null;
  const position = { writtenIn: BigInt(writtenIn), id: BigInt(id) };
  return position.writtenIn <= largest && position.id <= largest ? position : null;
};

/**
 * The position up to which the feed is complete: every transaction before it has ended. Identity numbers would not do:
 * a transaction that took a low one may commit after another that took a higher one.
 */
export const readFeedHorizon = async (db: Kysely<Tables>): Promise<FeedPosition> => {
  const { rows } = await sql<{ horizon: string }>`
    select pg_snapshot_xmin(pg_current_snapshot()) as horizon`.execute(db);
  return { writtenIn: BigInt(rows[0]?.horizon ?? 0), id: 0n };
};

/** The events after a position and before the horizon, in the order of the feed. */
export const readFeed = async (
  db: Kysely<Tables>,
  { writtenIn, id }: FeedPosition,
  horizon: FeedPosition,
  limit: number,
): Promise<FeedSlice> => {
  if (writtenIn === horizon.writtenIn) return { events: [], end: horizon, isCut: false };
  const { rows } = await sql<StoredEvent & { written_in: string }>`
    select id, at, kind, severity, server_id, payload, written_in from event_logs
    where (written_in, id) > (${writtenIn.toString()}::xid8, ${id.toString()}::bigint)
      and written_in < ${horizon.writtenIn.toString()}::xid8
    order by written_in, id limit ${limit}
  `.execute(db);
  const last = rows.at(-1);
  const isCut = last !== undefined && rows.length === limit;
  return {
    events: rows.map(eventRowOf),
    end: isCut ? { writtenIn: BigInt(last.written_in), id: BigInt(last.id) } : horizon,
    isCut,
  };
};

/**
 * Whether a reader at this position can get everything that followed: not when that is more than `limit` events, and
 * not when the position is in the future, as after restoring a backup.
 */
export const canResume = async (
  db: Kysely<Tables>,
  { writtenIn, id }: FeedPosition,
  horizon: FeedPosition,
  limit: number,
): Promise<boolean> => {
  if (writtenIn > horizon.writtenIn) return false;
  const { rows } = await sql<{ missed: number }>`
    select count(*)::int as missed from (
      select from event_logs
      where (written_in, id) > (${writtenIn.toString()}::xid8, ${id.toString()}::bigint)
      limit ${limit + 1}) as waiting
  `.execute(db);
  return (rows[0]?.missed ?? 0) <= limit;
};
