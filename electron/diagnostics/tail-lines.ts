import type { LogTailLine } from '#contracts/desktop/desktop-diagnostics.ts';
import { type ComponentLogFilter, componentLogLevels } from '#contracts/operations/component-logs.ts';

/** The most that a page shows. */
const mostLines = 200;
const longestText = 2000;

/** The newest matching lines of a log's text, oldest first. */
export const tailLines = (text: string, filter: ComponentLogFilter): readonly LogTailLine[] => {
  const found: LogTailLine[] = [];
  for (const line of text.split('\n').toReversed()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (fits(read, filter)) found.push({ ...read, text: read.text.slice(0, longestText) });
    if (found.length === mostLines) break;
  }
  return found.toReversed();
};

/** A line of no known level counts as `info`, as it does in the API's search. */
const fits = ({ level, text }: LogTailLine, filter: ComponentLogFilter): boolean => {
  const rank = (of: LogTailLine['level']) => componentLogLevels.indexOf(of ?? 'info');
  if (filter.level !== undefined && rank(level) < rank(filter.level)) return false;
  return filter.text === undefined || text.toLowerCase().includes(filter.text.toLowerCase());
};

const readLine = (line: string): LogTailLine => {
  const { level, time, msg, err } = parsed(line);
  const at = typeof time === 'string' && /^\d{4}-.*Z$/.test(time) ? new Date(time) : null;
  const why = typeof err === 'object' && err !== null && 'message' in err ? err.message : undefined;
  const words = [msg, why].filter((part) => typeof part === 'string' && part !== '');
  return {
    at: at && !Number.isNaN(at.getTime()) ? at.toISOString() : null,
    level: componentLogLevels.find((known) => known === level) ?? null,
    text: words.length === 0 ? line : words.join(': '),
  };
};

const parsed = (line: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = line.startsWith('{') ? JSON.parse(line) : {};
    return value as Record<string, unknown>;
  } catch {
    // Half a line of a program that was killed; shown unchanged.
    return {};
  }
};
