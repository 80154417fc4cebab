import type { ReactNode } from 'react';
import classes from './person-columns.module.css';

/** The page of a person: the timeline, and the facts at its side, or above if there is no room. */
export const PersonColumns = ({
  facts,
  children,
}: {
  /** The facts about the person. */
  readonly facts: ReactNode;
  readonly children: ReactNode;
}) => (
  <div className={classes.frame}>
    <div className={classes.columns}>
      <div className={classes.side}>{facts}</div>
      <div className={classes.main}>{children}</div>
    </div>
  </div>
);
