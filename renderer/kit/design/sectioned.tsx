import type { ReactNode } from 'react';
import { hrefOf } from '../routing/hash-location.ts';
import classes from './sectioned.module.css';

interface SectionLink {
  /** An address of the panel. */
  readonly to: string;
  readonly isChosen: boolean;
  readonly label: ReactNode;
}

/** A page of several sections, each with its own address: their names next to the one that is shown. */
export const Sectioned = ({
  label,
  links,
  children,
}: {
  /** What the links are, for screen readers. */
  readonly label: string;
  readonly links: readonly SectionLink[];
  readonly children: ReactNode;
}) => (
  <div className={classes.layout}>
    <nav aria-label={label} className={classes.sections}>
      {links.map(({ to, isChosen, label: name }) => (
        <a
          key={to}
          href={hrefOf(to)}
          className={classes.link}
          {...(isChosen && { 'aria-current': 'page' as const })}
        >
          {name}
        </a>
      ))}
    </nav>
    {children}
  </div>
);
