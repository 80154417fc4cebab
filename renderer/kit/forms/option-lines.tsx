import type { ReactNode } from 'react';

/** An option with its name and, below it, a note. */
export const OptionLines = ({
  name,
  note,
}: {
  readonly name: string;
  /** A second, smaller line. */
  readonly note: ReactNode;
}) => (
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
