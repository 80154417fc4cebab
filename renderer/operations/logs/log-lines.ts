import type { ServerMessage } from '#contracts/kernel/live.ts';
import type { ComponentLogFilter, ComponentLogRow } from '#contracts/operations/component-logs.ts';
import { componentLogLevels, logComponents } from '#contracts/operations/component-logs.ts';
import { selectedIn } from '../../kit/records/selected-values.ts';
import { textIn } from '../../kit/records/text-in.ts';
import type { SearchValues } from '../../kit/routing/use-search-state.ts';

/** A line of a log, or the place of lines that came too fast to be sent. */
export interface LogLine {
  readonly id: string;
  /** Older lines are read from here. */
  readonly cursor: string;
  readonly row: ComponentLogRow | null;
  readonly skipped: number;
}

/** The id of a row is where its line begins, and so the cursor of a page that ends with it. */
export const lineOf = (row: ComponentLogRow): LogLine => ({ id: row.id, cursor: row.id, row, skipped: 0 });

export const logFilterNames = ['level', 'text'] as const;
const longestText = 200;

/** The filter that an address asks for; anything else in the address is left out. */
export const logFilterIn = (values: SearchValues): ComponentLogFilter => {
  const [level] = selectedIn(values.level, componentLogLevels);
  const text = textIn(values.text, longestText);
  return { ...(level && { level }), ...(text && { text }) };
};

export const logComponentIn = (values: SearchValues) =>
  selectedIn(values.component, logComponents)[0] ?? 'api';

/** Whether the API would have found a line; the live stream contains all of them. */
export const isLineInFilter = (row: ComponentLogRow, { level, text }: ComponentLogFilter): boolean => {
  const rank = (of: (typeof componentLogLevels)[number]) => componentLogLevels.indexOf(of);
  if (level && rank(row.level ?? 'info') < rank(level)) return false;
  if (!text) return true;
  const { message, fields, raw, at } = row;
  return `${message}\n${JSON.stringify(fields)}\n${raw ?? ''}\n${at ?? ''}`
    .toLocaleLowerCase()
    .includes(text.toLocaleLowerCase());
};

/** The lines of a live message, the oldest first, after the mark for lines left out before them. */
export const linesOf = (
  { rows, skipped, cursor }: Extract<ServerMessage, { type: 'log' }>,
  filter: ComponentLogFilter,
): readonly LogLine[] => {
  const lines = rows.filter((row) => isLineInFilter(row, filter)).map(lineOf);
  if (skipped === 0) return lines;
  const place = rows[0]?.id ?? cursor;
  return [{ id: `${place} skipped`, cursor: place, row: null, skipped }, ...lines];
};
