import classes from './ghost.module.css';

export interface GhostProps {
  readonly width?: number | string | undefined;
  readonly height?: number;
}

/** A placeholder for a text or a control that is loading. */
export const Ghost = ({ width = '100%', height = 12 }: GhostProps) => (
  <span data-ghost className={classes.ghost} style={{ width, height }} />
);
