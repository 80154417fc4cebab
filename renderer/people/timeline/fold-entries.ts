import type { TimelineEntry } from '#contracts/people/timelines.ts';

type Entry<Type extends TimelineEntry['type']> = Extract<TimelineEntry, { type: Type }>;

/** A visit from its beginning to its end, in one line. */
interface VisitEntry extends Pick<Entry<'left'>, 'id' | 'at' | 'serverId' | 'playerId' | 'playedSeconds'> {
  readonly type: 'visit';
}

/** Parts of one order that ended alike, in one line. */
interface PartsEntry extends Entry<'delivery'> {
  readonly parts: number;
}

export type ShownEntry = TimelineEntry | VisitEntry | PartsEntry;

const isOneVisit = (left: Entry<'left'>, before: TimelineEntry | undefined): boolean =>
  before?.type === 'joined' &&
  !before.isFirst &&
  before.serverId === left.serverId &&
  before.playerId === left.playerId;

const isAlike = (one: Entry<'delivery'>, other: ShownEntry | undefined): other is Entry<'delivery'> =>
  other?.type === 'delivery' &&
  other.orderId === one.orderId &&
  other.productName === one.productName &&
  other.state === one.state &&
  other.certainty === one.certainty &&
  other.serverId === one.serverId;

/**
 * Turns adjacent entries that mean one thing into one line: a visit in which nothing else happened, and the parts of an
 * order.
 * @param entries newest first
 */
export const foldEntries = (entries: readonly TimelineEntry[]): readonly ShownEntry[] => {
  const shown: ShownEntry[] = [];
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (!entry) break;
    const last = shown.at(-1);
    if (entry.type === 'left' && isOneVisit(entry, entries[index + 1])) {
      shown.push({ ...entry, type: 'visit' });
      index += 1;
    } else if (entry.type === 'delivery' && isAlike(entry, last)) {
      const parts = 'parts' in last ? Number(last.parts) : 1;
      shown[shown.length - 1] = { ...last, parts: parts + 1 };
    } else shown.push(entry);
  }
  return shown;
};
