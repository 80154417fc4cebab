import type { ReactNode } from 'react';
import classes from './fact-rows.module.css';

export interface FactRowProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/** One thing that is known, within `FactRows`. */
export const FactRow = ({ label, children }: FactRowProps) => (
  <div className={classes.row}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** Names and values, a row each, for values that are compared down the page. */
export const FactRows = ({ children }: { readonly children: ReactNode }) => (
  <dl className={classes.rows}>{children}</dl>
);
