import type { AuditRow } from '#contracts/audit.ts';
import { RecordRow } from '../../records/record-row.tsx';
import classes from './audit-row.module.css';
import type { AuditNames } from './use-audit-names.ts';

export interface AuditLineProps {
  readonly row: AuditRow;
  readonly names: AuditNames;
}

/** An action in one line: who, what, on what, from where. */
export const AuditLine = ({ row, names }: AuditLineProps) => (
  <RecordRow at={row.at} columns={classes.columns}>
    <bdi className={classes.who}>{names.actor(row)}</bdi>
    <span className={classes.what}>{names.action(row.action)}</span>
    <bdi className={classes.target}>{names.target(row)}</bdi>
    <bdi className={classes.from}>{row.address}</bdi>
  </RecordRow>
);
