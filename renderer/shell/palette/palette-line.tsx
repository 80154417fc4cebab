import type { Entry } from './entry.ts';
import classes from './palette.module.css';

/** A result of the palette. */
export const PaletteLine = ({
  id,
  entry,
  heading,
  isChosen,
  onPoint,
  onRun,
}: {
  readonly id: string;
  readonly entry: Entry;
  readonly heading: string | null;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}) => (
  <>
    {heading !== null && (
      <div role="presentation" className={classes.heading}>
        {heading}
      </div>
    )}
    {/* biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and says which option is active */}
    {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys */}
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.entry}
      onPointerMove={onPoint}
      onClick={onRun}
    >
      {entry.icon}
      <bdi className={classes.label}>{entry.label}</bdi>
      {entry.hint && <bdi className={classes.hint}>{entry.hint}</bdi>}
    </div>
  </>
);
