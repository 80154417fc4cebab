import classes from './mod-tile.module.css';

/**
 * The first letter of a mod in place of its picture: pictures are on the hosts of the sources, which the content
 * security policy blocks, so that no browser of the panel calls third parties.
 */
export const ModTile = ({ name }: { readonly name: string }) => {
  const letter = [...name].find((one) => /[\p{L}\p{N}]/u.test(one)) ?? '#';
  return (
    <span className={classes.tile} aria-hidden>
      {letter.toUpperCase()}
    </span>
  );
};
