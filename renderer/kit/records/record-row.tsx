import type { ReactNode } from 'react';
import { Moment } from './moment.tsx';
import classes from './record-row.module.css';

/** A record in one line: its time, and the fields that its list shows. */
export const RecordRow = ({
  at,
  columns,
  children,
}: {
  readonly at: string;
  /** A class with the columns, the first of them for the time; on a phone the time is in the second line. */
  readonly columns: string | undefined;
  readonly children: ReactNode;
}) => (
  <span className={`${classes.row} ${columns}`}>
    <span className={classes.when}>
      <Moment at={at} isShort />
    </span>
    {children}
  </span>
);
