import classes from './platform-id.module.css';

/** The end is what distinguishes the ids. */
const endLength = 6;

/** If there is no room for all of it, its middle is left out. */
export const PlatformIdCell = ({ platformId }: { readonly platformId: string }) => (
  <bdi className={classes.id} title={platformId}>
    <span className={classes.start}>{platformId.slice(0, -endLength)}</span>
    <span className={classes.end}>{platformId.slice(-endLength)}</span>
  </bdi>
);
