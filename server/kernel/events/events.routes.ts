import type { Kysely } from 'kysely';
import { type EventFilter, eventsHttp } from '#contracts/kernel/events.ts';
import { exportCsv, exportJsonLines } from '#runtime/row-export.ts';
import type { Actor } from '../access/actor.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { seesAddresses, withoutAddress } from '../access/sees-addresses.ts';
import type { Tables } from '../database/tables.ts';
import { newestFirst } from '../logs/log-export.ts';
import { type LogSlice, readLogPage } from '../logs/log-page.ts';
import { encodeFeedCursor, readFeedHorizon } from './event-feed.ts';
import { eventRowOf, readEvents, type StoredEvent } from './read-events.ts';

const csvColumns = {
  id: ({ id }: StoredEvent) => id,
  at: ({ at }: StoredEvent) => at.toISOString(),
  kind: ({ kind }: StoredEvent) => kind,
  severity: ({ severity }: StoredEvent) => severity,
  serverId: ({ server_id }: StoredEvent) => server_id,
  payload: ({ payload }: StoredEvent) => JSON.stringify(payload),
};

export const bindEventsRoutes = (routes: ApiRoutes, db: Kysely<Tables>, retentionDays: number): void => {
  const reader = (filter: EventFilter, actor: Actor) => async (slice: LogSlice) => {
    const rows = await readEvents(db, filter, retentionDays, slice);
    return seesAddresses(actor) ? rows : rows.map(withoutAddress);
  };
  routes.on(eventsHttp.list, async ({ query }, { actor }) => {
    // Before the page: what is committed in between comes twice rather than never.
    const horizon = await readFeedHorizon(db);
    const { rows, ...cursors } = await readLogPage(query, reader(query, actor));
    return { rows: rows.map(eventRowOf), ...cursors, liveCursor: encodeFeedCursor(horizon) };
  });
  routes.on(eventsHttp.exportCsv, ({ query }, { actor }) =>
    exportCsv(newestFirst(reader(query, actor)), csvColumns),
  );
  routes.on(eventsHttp.exportJsonLines, ({ query }, { actor }) =>
    exportJsonLines(newestFirst(reader(query, actor)), eventRowOf),
  );
};
