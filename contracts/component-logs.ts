import * as z from 'zod';
import { endpoint } from './http.ts';
import { pageOf, pageQuery } from './paging.ts';
import { componentNames } from './stack.ts';

/** Whoever writes a log file of its own in the home folder's `logs/`. */
export const logComponents = ['supervisor', ...componentNames] as const;
export const logComponent = z.enum(logComponents);
export type LogComponent = z.infer<typeof logComponent>;

/** From the least serious to the most. */
export const componentLogLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type ComponentLogLevel = (typeof componentLogLevels)[number];

/** One line of a log file. */
export const componentLogRow = z
  .object({
    /** Unique within the component, and the same in a page and in the live stream. As `cursor` it leads to what is older. */
    id: z.string(),
    /** Null where the line says none. */
    at: z.iso.datetime().nullable(),
    /** Null where the line says none that is known. */
    level: z.enum(componentLogLevels).nullable(),
    component: logComponent,
    /** The text itself where the line is no JSON object. */
    message: z.string(),
    /** What else the line holds. */
    fields: z.record(z.string(), z.unknown()),
    /** The beginning of the line as it stands, where it is too long or too deep to be given whole; the download has all of it. */
    raw: z.string().optional(),
  })
  .meta({ id: 'ComponentLogRow' });
export type ComponentLogRow = z.infer<typeof componentLogRow>;

const componentLogUsage = z.object({
  component: logComponent,
  /** Of all its files. */
  bytes: z.int().nonnegative(),
  /** When its newest line was written; null when there is none. */
  newestAt: z.iso.datetime().nullable(),
});

export const componentLogsUsage = z
  .object({ logs: z.array(componentLogUsage) })
  .meta({ id: 'ComponentLogsUsage' });
export type ComponentLogsUsage = z.infer<typeof componentLogsUsage>;

/** What is given must all hold. */
export const componentLogFilter = z.object({
  /** As serious as this, or more; a line of no known level counts as `info`. */
  level: z.enum(componentLogLevels).optional(),
  /** Stands somewhere in the line, whatever its case. */
  text: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must have no control characters')
    .optional(),
});
export type ComponentLogFilter = z.output<typeof componentLogFilter>;

const search = componentLogFilter.extend(pageQuery.shape);
export type ComponentLogSearch = z.output<typeof search>;

/** A page can have fewer rows than asked for, or none, and still not be the last one: `nextCursor` tells. */
export const componentLogPage = pageOf(componentLogRow)
  .extend({
    /** It ends here because one request reads only so much of a log: the search goes on with `nextCursor`. */
    stoppedEarly: z.boolean(),
    /** The time of the oldest line that was looked at; null when none of them had one. */
    searchedUntil: z.iso.datetime().nullable(),
    /** What the live stream resumes from so that nothing after the newest row is missed. */
    liveCursor: z.string(),
  })
  .meta({ id: 'ComponentLogPage' });
export type ComponentLogPage = z.infer<typeof componentLogPage>;

const ofComponent = z.object({ component: logComponent });
const reading = {
  method: 'GET',
  access: 'logs.read',
  problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'LOG_UNREADABLE'],
} as const;

export const componentLogsHttp = {
  usage: endpoint({
    ...reading,
    path: '/api/component-logs',
    summary: 'The log files of the components, and the space that they take',
    response: componentLogsUsage,
  }),
  search: endpoint({
    ...reading,
    path: '/api/component-logs/:component',
    summary: 'Read and search the log of a component, newest first',
    params: ofComponent,
    query: search,
    response: componentLogPage,
  }),
  download: endpoint({
    ...reading,
    path: '/api/component-logs/:component/download',
    summary: 'The whole log of a component as text, one line each, oldest first',
    params: ofComponent,
    response: z.string(),
    contentType: 'text/plain; charset=utf-8',
    download: 'castellan-component-log.txt',
  }),
} as const;
