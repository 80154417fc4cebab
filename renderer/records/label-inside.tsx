import classes from './filters.module.css';

/** For a box that cannot say by itself what it is for once it is filled in: its label stands in it. */
export const labelInside = (label: string) => ({
  leftSection: (
    <span aria-hidden className={classes.label}>
      {label}:
    </span>
  ),
  leftSectionWidth: `calc(${label.length} * 0.8ch + 2rem)`,
  leftSectionPointerEvents: 'none' as const,
});
