import * as z from 'zod';
import { eventRow, severities } from '../operations/event-row.ts';
import { eventKindNames } from './event-kinds.ts';
import { filterText } from './filter-text.ts';
import { endpoint } from './http.ts';
import { exportTypes } from './logs.ts';
import { bidirectionalPageOf, bidirectionalPageQuery, oneOrMore } from './paging.ts';

/** All given conditions must hold; of several kinds or severities, any one. */
export const eventFilter = z.object({
  kind: oneOrMore(z.enum(eventKindNames), eventKindNames.length).optional(),
  severity: oneOrMore(z.enum(severities), severities.length).optional(),
  serverId: filterText(100).optional(),
  /** `player:<id>` or `admin:<id>`: events that they caused or that happened to them. */
  person: filterText(200)
    .regex(/^(player|admin):./, { error: 'must be player:<id> or admin:<id>' })
    .optional(),
  /** Inclusive. */
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true }).optional(),
});
export type EventFilter = z.output<typeof eventFilter>;

const reading = {
  method: 'GET',
  access: 'events.read',
} as const;

export const eventsHttp = {
  list: endpoint({
    ...reading,
    path: '/api/events',
    summary: 'List event log entries, newest first',
    query: eventFilter.extend(bidirectionalPageQuery.shape),
    response: bidirectionalPageOf(eventRow).extend({
      /** The live stream resumes from here, so that nothing after this page is missed; an event may arrive twice. */
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
    summary: 'Export the event log as JSON Lines, newest first',
    query: eventFilter,
    response: z.string(),
    contentType: exportTypes.jsonLines,
    download: 'castellan-events.jsonl',
  }),
} as const;
