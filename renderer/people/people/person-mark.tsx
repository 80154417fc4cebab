import classes from './person-mark.module.css';

/** The first letter, or character, of a name as people see it. */
const firstSign = (name: string): string => {
  for (const { segment } of new Intl.Segmenter().segment(name.trim())) return segment.toLocaleUpperCase();
  return '?';
};

/** A stand-in for a person's picture. */
export const PersonMark = ({ name }: { readonly name: string }) => (
  <span className={classes.mark} aria-hidden>
    {firstSign(name)}
  </span>
);
