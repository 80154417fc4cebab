import type { Severity } from '#contracts/event-kinds.ts';
import { type EventRow, eventsHttp } from '#contracts/events.ts';
import type { Readable } from '../../design/async-content.tsx';
import { useLive, useLiveState } from '../../wire/live.ts';
import { queryClient, readKey, useRead } from '../../wire/queries.ts';
import { withEvents } from './notable-rows.ts';

const kept = 100;
const awayEveryMs = 10_000;

interface Rows {
  readonly rows: readonly EventRow[];
  readonly nextCursor: string | null;
}

const inputOf = (severity: Severity[]) => ({ query: { severity, limit: kept } });

const isOf = (severities: readonly Severity[]) => (row: EventRow) => severities.includes(row.severity);

/** The newest events of some severities, with new ones as they come; whoever asks must hold `events.read`. */
export const useNotableEvents = (severities: Severity[]): Readable<Rows> => {
  const isLive = useLiveState() === 'live';
  const input = inputOf(severities);
  const read = useRead(eventsHttp.list, input, { ...(!isLive && { everyMs: awayEveryMs }) });
  useLive({ topic: 'events' }, (message) => {
    const key = readKey(eventsHttp.list, input);
    if (message.type === 'events') {
      const come = message.events.filter(isOf(severities));
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
