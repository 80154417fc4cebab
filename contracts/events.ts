import * as z from 'zod';
import { eventKindNames, severities } from './event-kinds.ts';
import { filterText } from './filter-text.ts';
import { endpoint } from './http.ts';
import { exportTypes } from './logs.ts';
import { bidirectionalPageOf, bidirectionalPageQuery, oneOrMore } from './paging.ts';

/** Something that has happened. */
export const eventRow = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    /** One of the registered kinds, or one of another version of Castellan. */
    kind: z.string(),
    severity: z.enum(severities),
    /** The game server that it happened to, or null. */
    serverId: z.string().nullable(),
    /** As its kind declares it. */
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'EventRow' });
export type EventRow = z.infer<typeof eventRow>;

/** What is given must all hold; of several kinds or severities, any. */
export const eventFilter = z.object({
  kind: oneOrMore(z.enum(eventKindNames), eventKindNames.length).optional(),
  severity: oneOrMore(z.enum(severities), severities.length).optional(),
  serverId: filterText(100).optional(),
  /** Not before. */
  from: z.iso.datetime({ offset: true }).optional(),
  /** Before. */
  to: z.iso.datetime({ offset: true }).optional(),
});
export type EventFilter = z.output<typeof eventFilter>;

const reading = {
  method: 'GET',
  access: 'events.read',
  problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'],
} as const;

export const eventsHttp = {
  list: endpoint({
    ...reading,
    path: '/api/events',
    summary: 'Read the event log, newest first',
    query: eventFilter.extend(bidirectionalPageQuery.shape),
    response: bidirectionalPageOf(eventRow).extend({
      /** What the live stream resumes from so that nothing after this page is missed; an event may come twice. */
      liveCursor: z.string(),
    }),
  }),
  exportCsv: endpoint({
    ...reading,
    path: '/api/events/export.csv',
    summary: 'Export the event log as CSV, newest first',
    query: eventFilter,
    response: z.string(),
    contentType: exportTypes.csv,
    download: 'castellan-events.csv',
  }),
  exportJsonLines: endpoint({
    ...reading,
    path: '/api/events/export.jsonl',
    summary: 'Export the event log, one JSON document a line, newest first',
    query: eventFilter,
    response: z.string(),
    contentType: exportTypes.jsonLines,
    download: 'castellan-events.jsonl',
  }),
} as const;
