import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly label: ReactNode;
  readonly value: ReactNode;
}

/** The facts about one thing, one per row. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className={classes.facts}>
    {facts.map(({ label, value }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a label may be more than a text, and rows keep nothing of their own
      <div key={index} className={classes.fact}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
