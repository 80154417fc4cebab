import {
  type ComponentLogFilter,
  type ComponentLogLevel,
  type ComponentLogRow,
  componentLogLevels,
  type LogComponent,
} from '#contracts/operations/component-logs.ts';
import { formatPosition } from './log-files.ts';
import type { LoggedLine } from './read-lines.ts';

/** Characters of one row. What is longer is read by people in the download. */
const longestMessage = 8000;
const longestWhole = 16_000;
/** Deeper nesting breaks code that walks through it. */
const deepestFields = 20;

/** A line for people to read. */
export const rowOf = (component: LogComponent, { position, text, isCut }: LoggedLine): ComponentLogRow => {
  const fields = (isCut ? null : readRecord(text)) ?? { msg: text };
  const at = timeOf(fields.time);
  const level = levelOf(fields.level);
  const message = typeof fields.msg === 'string' ? fields.msg : '';
  // What has no field in a row, or was not understood, stays.
  if (at !== null) delete fields.time;
  if (level !== null) delete fields.level;
  if (fields.msg === message) delete fields.msg;
  if (fields.component === component) delete fields.component;
  const isTooLong = isCut || text.length > longestWhole || message.length > longestMessage;
  const isGivenWhole = !isTooLong && !isDeeper(fields, deepestFields);
  return {
    id: formatPosition(position),
    at,
    level,
    component,
    message: message.slice(0, longestMessage),
    fields: isGivenWhole ? fields : {},
    ...(isGivenWhole ? {} : { raw: text.slice(0, longestWhole) }),
  };
};

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));

const readRecord = (text: string): Record<string, unknown> | null => {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Half a line of a program that was killed, or no JSON at all: shown unchanged.
    return null;
  }
};

/** ISO 8601, or milliseconds since 1970. */
const timeOf = (time: unknown): string | null => {
  if (typeof time !== 'string' && typeof time !== 'number') return null;
  const date = new Date(time);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  // It gets longer before the year 0 and after 9999.
  return text.length === 24 ? text : null;
};

/** By name, or by pino's number: 10 is trace, 60 fatal. */
const levelOf = (level: unknown): ComponentLogLevel | null => {
  const name = typeof level === 'number' ? componentLogLevels[level / 10 - 1] : level;
  return componentLogLevels.find((known) => known === name) ?? null;
};

/** Whether a row, and the line that it was made from, matches the filter. */
export const createMatcher = ({ level, text }: ComponentLogFilter) => {
  const least = level === undefined ? 0 : componentLogLevels.indexOf(level);
  const wanted = text?.toLowerCase();
  return (row: ComponentLogRow, line: string): boolean => {
    if (componentLogLevels.indexOf(row.level ?? 'info') < least) return false;
    if (wanted === undefined) return true;
    // In the line quotes and backslashes are escaped; in the message they are as people type them.
    return row.message.toLowerCase().includes(wanted) || line.toLowerCase().includes(wanted);
  };
};
