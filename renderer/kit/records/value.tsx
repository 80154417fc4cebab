import classes from './value.module.css';

/** Any value of a document as text: strings unchanged, everything else as JSON. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '–');

export const Value = ({ value }: { readonly value: unknown }) => (
  <bdi className={classes.value}>{textOf(value)}</bdi>
);
