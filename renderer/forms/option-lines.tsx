import type { ReactNode } from 'react';

export interface OptionLinesProps {
  readonly name: string;
  /** A second, smaller line. */
  readonly note: ReactNode;
}

/** What a list of options shows of one of them. */
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
