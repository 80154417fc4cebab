import { useWords } from '../../language/use-words.ts';
import { Moment } from '../../records/moment.tsx';
import classes from './log-line.module.css';
import type { LogLine } from './log-lines.ts';
import { logsWords } from './logs.words.ts';

/** The most that could ever be visible of a line's other fields in its row. */
const longestSummary = 300;

const summaryOf = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('  ')
    .slice(0, longestSummary);

/** A line of a log, its other fields collapsed behind its text. */
export const LogLineRow = ({ line: { row, skipped } }: { readonly line: LogLine }) => {
  const words = useWords(logsWords);
  if (!row) return <span className={classes.skipped}>… {words.skipped(skipped)}</span>;
  return (
    <span className={classes.row}>
      <span className={classes.when}>
        <Moment at={row.at} isShort />
      </span>
      <span className={classes.level} data-level={row.level ?? 'info'}>
        {row.level ? words.levels[row.level] : '–'}
      </span>
      <span className={classes.message}>
        <bdi>{row.message}</bdi> <bdi className={classes.fields}>{summaryOf(row.fields)}</bdi>
      </span>
    </span>
  );
};
