import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';
import { Ghost } from './ghost.tsx';
import classes from './loading.module.css';

/** Words differ in length; the same ones each time. */
export const ghostWidths = ['38%', '27%', '44%', '31%', '35%', '24%'] as const;

export const GhostRows = ({ rows }: { readonly rows: number }) => (
  <div>
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
      <div key={index} className={classes.row}>
        <Ghost width={ghostWidths[index % ghostWidths.length] ?? '30%'} />
        <Ghost width="12%" />
        <Ghost width="18%" />
      </div>
    ))}
  </div>
);

/** A placeholder in the shape of what is loading. */
export const LoadingFrame = ({ children }: { readonly children: ReactNode }) => {
  const words = useWords(designWords);
  return (
    <div role="status" className={classes.loading}>
      <VisuallyHidden>{words.loading}</VisuallyHidden>
      <div aria-hidden className={classes.shape}>
        {children}
      </div>
    </div>
  );
};

/** The shapes that the first load of a page needs; more are in loading-shapes.tsx. */
export const Loading = ({
  shape = 'rows',
  rows = shape === 'rows' ? 4 : 8,
}: {
  /**
   * - `rows`: a table, in rows of the real height
   * - `list`: a list with its search and filters
   * - `page`: the title of a page, and its list
   */
  readonly shape?: 'rows' | 'list' | 'page';
  readonly rows?: number;
}) => (
  <LoadingFrame>
    {shape === 'page' && (
      <div className={classes.title}>
        <Ghost width="12rem" height={20} />
      </div>
    )}
    {shape === 'rows' ? (
      <GhostRows rows={rows} />
    ) : (
      <div>
        <Ghost width="min(22rem, 60%)" height={36} />
        <div className={classes.count} />
        <div className={classes.frame}>
          <GhostRows rows={rows} />
        </div>
      </div>
    )}
  </LoadingFrame>
);
