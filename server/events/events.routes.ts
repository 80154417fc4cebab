import type { Kysely } from 'kysely';
import { type EventFilter, eventsHttp } from '#contracts/events.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { exportCsv, exportJsonLines } from '../logs/log-export.ts';
import { type LogSlice, readLogPage } from '../logs/log-page.ts';
import { encodeFeedCursor, readFeedHorizon } from './event-feed.ts';
import type { EventsDatabase } from './events.tables.ts';
import { eventRowOf, readEvents, type StoredEvent } from './read-events.ts';

const csvColumns = {
  id: ({ id }: StoredEvent) => id,
  at: ({ at }: StoredEvent) => at.toISOString(),
  kind: ({ kind }: StoredEvent) => kind,
  severity: ({ severity }: StoredEvent) => severity,
  serverId: ({ server_id }: StoredEvent) => server_id,
  payload: ({ payload }: StoredEvent) => JSON.stringify(payload),
};

export const bindEventsRoutes = (
  routes: ApiRoutes,
  db: Kysely<EventsDatabase>,
  retentionDays: number,
): void => {
  const reader = (filter: EventFilter) => (slice: LogSlice) => readEvents(db, filter, retentionDays, slice);
  routes.on(eventsHttp.list, async ({ query }) => {
    // Before the page: what is committed in between comes twice rather than never.
    const horizon = await readFeedHorizon(db);
    const { rows, ...cursors } = await readLogPage(query, reader(query));
    return { rows: rows.map(eventRowOf), ...cursors, liveCursor: encodeFeedCursor(horizon) };
  });
  routes.on(eventsHttp.exportCsv, ({ query }) => exportCsv(reader(query), csvColumns));
  routes.on(eventsHttp.exportJsonLines, ({ query }) => exportJsonLines(reader(query), eventRowOf));
};
