import classes from './filters.module.css';

/** For a box that cannot show its purpose once it is filled in: its label is inside it. */
export const labelInside = (label: string) => ({
  leftSection: (
    <span aria-hidden className={classes.label}>
      {label}:
    </span>
  ),
  leftSectionWidth: `calc(${label.length} * 0.8ch + 2rem)`,
  leftSectionPointerEvents: 'none' as const,
});
