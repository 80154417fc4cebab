import { useWords } from '../../language/use-words.ts';
import { RecordRow } from '../../records/record-row.tsx';
import { auditWords } from './audit.words.ts';
import classes from './audit-row.module.css';
import type { NamedAuditRow } from './named-audit-row.ts';
import type { AuditTelling } from './use-audit-telling.ts';

export interface AuditLineProps {
  readonly row: NamedAuditRow;
  readonly telling: AuditTelling;
}

/** An action in one line: who, what, on what, from where. */
export const AuditLine = ({ row, telling }: AuditLineProps) => {
  const summary = telling.summary(row);
  return (
    <RecordRow at={row.at} columns={classes.columns}>
      <bdi className={classes.who}>{telling.actor(row)}</bdi>
      <span className={classes.what}>
        {telling.action(row.action)}
        {summary !== '' && <bdi className={classes.summary}>{summary}</bdi>}
      </span>
      <bdi className={classes.target}>{telling.target(row)}</bdi>
      <bdi className={classes.from}>{row.address}</bdi>
    </RecordRow>
  );
};

/** The names of the columns. */
export const AuditHead = () => {
  const words = useWords(auditWords);
  return (
    <span className={`${classes.head} ${classes.columns}`}>
      <span>{words.when}</span>
      <span>{words.who}</span>
      <span>{words.what}</span>
      <span>{words.on}</span>
      <span>{words.from}</span>
    </span>
  );
};
