import classes from './ghost.module.css';

/** A placeholder for a text or a control that is loading. */
export const Ghost = ({
  width = '100%',
  height = 12,
}: {
  readonly width?: number | string | undefined;
  readonly height?: number;
}) => <span data-ghost className={classes.ghost} style={{ width, height }} />;
