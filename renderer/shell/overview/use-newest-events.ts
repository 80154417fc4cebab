import type { EventKindName } from '#contracts/kernel/event-kinds.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import type { EventRow, Severity } from '#contracts/operations/event-row.ts';
import { useLive, useLiveState } from '../../kit/api/live.ts';
import { pollMs, queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import type { Readable } from '../../kit/design/async-content.tsx';
import { withEvents } from './newest-rows.ts';

const kept = 100;
interface Rows {
  readonly rows: readonly EventRow[];
  readonly nextCursor: string | null;
}

/** The wanted severities or kinds; absent: all. */
export interface EventsWanted {
  readonly severity?: Severity[];
  readonly kind?: EventKindName[];
}

const inputOf = (wanted: EventsWanted) => ({ query: { ...wanted, limit: kept } });

const isWanted =
  ({ severity, kind }: EventsWanted) =>
  (row: EventRow): boolean =>
    (severity?.includes(row.severity) ?? true) && (kind?.some((name) => name === row.kind) ?? true);

/** The newest of the wanted events, updated live; the reader must hold `events.read`. */
export const useNewestEvents = (wanted: EventsWanted): Readable<Rows> => {
  const isLive = useLiveState() === 'live';
  const input = inputOf(wanted);
  const read = useRead(eventsHttp.list, input, { ...(!isLive && { everyMs: pollMs.usual }) });
  useLive({ topic: 'events' }, (message) => {
    const key = readKey(eventsHttp.list, input);
    if (message.type === 'events') {
      const come = message.events.filter(isWanted(wanted));
      if (come.length > 0)
        queryClient.setQueryData<Rows>(
          key,
          (known) => known && { ...known, rows: withEvents(known.rows, come, kept) },
        );
    } else if (message.type === 'subscribed' && !message.resumed)
      void queryClient.invalidateQueries({ queryKey: key });
  });
  return read;
};
