import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { componentNames } from './stack.ts';

/** Programs with their own log file in the data folder's `logs/`. */
export const logComponents = ['supervisor', ...componentNames] as const;
export const logComponent = z.enum(logComponents);
export type LogComponent = z.infer<typeof logComponent>;

/** From the least serious to the most. */
export const componentLogLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type ComponentLogLevel = (typeof componentLogLevels)[number];

/** One line of a log file. */
export const componentLogRow = z
  .object({
    /** Unique within the component; the same in pages and in the live stream. As `cursor`, it leads to older lines. */
    id: z.string(),
    /** Null if the line has none. */
    at: z.iso.datetime().nullable(),
    /** Null if the line has none, or an unknown one. */
    level: z.enum(componentLogLevels).nullable(),
    component: logComponent,
    /** The whole text if the line is no JSON object. */
    message: z.string(),
    /** All other fields of the line. */
    fields: z.record(z.string(), z.unknown()),
    /** The start of the line unchanged, if it is too long or too deeply nested to be returned whole; the download has all of it. */
    raw: z.string().optional(),
  })
  .meta({ id: 'ComponentLogRow' });
export type ComponentLogRow = z.infer<typeof componentLogRow>;

const componentLogUsage = z.object({
  component: logComponent,
  /** The size of all its files. */
  bytes: z.int().nonnegative(),
  /** When its newest line was written; null if there are no lines. */
  newestAt: z.iso.datetime().nullable(),
});

export const componentLogsUsage = z
  .object({ logs: z.array(componentLogUsage) })
  .meta({ id: 'ComponentLogsUsage' });
export type ComponentLogsUsage = z.infer<typeof componentLogsUsage>;

/** All given conditions must hold. */
export const componentLogFilter = z.object({
  /** This level or higher; a line without a known level counts as `info`. */
  level: z.enum(componentLogLevels).optional(),
  /** Occurs anywhere in the line, ignoring case. */
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

/** A page may have fewer rows than requested, or none, and still not be the last one: only `nextCursor` tells. */
export const componentLogPage = pageOf(componentLogRow)
  .extend({
    /** The search stopped because one request reads only a limited amount of log; `nextCursor` continues it. */
    stoppedEarly: z.boolean(),
    /** The time of the oldest line searched; null if no line had one. */
    searchedUntil: z.iso.datetime().nullable(),
    /** The live stream resumes from here, so that nothing after the newest row is missed. */
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
    summary: 'List the log files of the components and the disk space they use',
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
    summary: 'Download the whole log of a component as text, one entry per line, oldest first',
    params: ofComponent,
    response: z.string(),
    contentType: 'text/plain; charset=utf-8',
    download: 'castellan-component-log.txt',
  }),
} as const;
