import type { CallInput } from '#contracts/kernel/call-input.ts';
import { type TimelineEntry, type TimelineKind, timelinesHttp } from '#contracts/people/timelines.ts';
import { call } from '../../kit/api/call.ts';
import type { RecordPage } from '../../kit/records/record-window.ts';
import { usePolledRecords } from '../../kit/records/use-polled-records.ts';
import { type Records, useRecords } from '../../kit/records/use-records.ts';

/** The person of the timeline. */
export interface TimelineOf {
  readonly kind: 'player' | 'member';
  readonly id: string;
}

const pageSize = 50;

/** The rank of its source, and its number there. */
const partsOf = (id: string): readonly [number, bigint] => {
  const [rank = '0', number = '0'] = id.split('-');
  return [Number(rank), BigInt(number)];
};

/** The API's order: the newest first; entries of the same moment by rank and number. */
export const compareEntries = (
  one: Pick<TimelineEntry, 'id' | 'at'>,
  other: Pick<TimelineEntry, 'id' | 'at'>,
): number => {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  const [[rank, number], [otherRank, otherNumber]] = [partsOf(one.id), partsOf(other.id)];
  return otherRank - rank || (number === otherNumber ? 0 : number < otherNumber ? 1 : -1);
};

type Query = NonNullable<CallInput<typeof timelinesHttp.ofPlayer>['query']>;

/** A person's timeline; new entries wait until the reader asks for them. */
export const useTimeline = (
  { kind: of, id }: TimelineOf,
  shown: TimelineKind | null,
): Records<TimelineEntry> => {
  const endpoint = of === 'player' ? timelinesHttp.ofPlayer : timelinesHttp.ofMember;
  const ask = (query: Query, signal?: AbortSignal) =>
    call(
      endpoint,
      { params: { id }, query: { limit: pageSize, ...(shown && { kind: shown }), ...query } },
      { ...(signal && { signal }) },
    );
  const pageAt = async (query: Query, signal: AbortSignal): Promise<RecordPage<TimelineEntry>> => {
    const { rows, nextCursor } = await ask(query, signal);
    return { rows, older: nextCursor === null ? null : { cursor: nextCursor }, newer: null };
  };
  const records = useRecords<TimelineEntry>({
    key: [endpoint.path, id, shown],
    isOneWay: true,
    compare: compareEntries,
    olderThan: ({ at }) => ({ to: new Date(Date.parse(at) + 1).toISOString() }),
    newerThan: ({ at }) => ({ from: at }),
    open: (_beginning, signal) => pageAt({}, signal),
    read: ({ cursor, to }, signal) => pageAt({ ...(cursor && { cursor }), ...(to && { to }) }, signal),
  });
  const { isFollowing } = usePolledRecords(records, async (since) => {
    const { rows, nextCursor } = await ask({ ...(since && { from: since }) });
    return { rows, isCut: since !== undefined && nextCursor !== null };
  });
  // Rows in the middle of a page would push away the rows being read.
  isFollowing.current = false;
  return records;
};
