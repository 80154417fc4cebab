import type { ReactNode } from 'react';

interface OptionLinesProps {
  readonly name: string;
  /** A second, smaller line. */
  readonly note: ReactNode;
}

/** An option with its name and, below it, a note. */
export const OptionLines = ({ name, note }: OptionLinesProps) => (
  <span>
    <bdi>{name}</bdi>
    {note && (
      <>
        <br />
        <small>{note}</small>
      </>
    )}
  </span>
);
