import type { CSSProperties } from 'react';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';
import { Ghost } from './ghost.tsx';
import classes from './ghost-list.module.css';

export interface GhostColumn {
  readonly id: string;
  readonly header: string;
  /** The width of the grid, the same as in the list itself. */
  readonly width?: string | undefined;
  readonly align?: 'end' | undefined;
}

/** Words differ in length; the same ones each time. */
const fill = ['78%', '52%', '64%', '45%', '70%', '58%', '38%'] as const;

/** The name on its own line, with the details below it. */
const narrowFill = (row: number, column: number): string =>
  column === 0 ? (row % 2 === 0 ? '38%' : '26%') : column % 2 === 0 ? '3.5rem' : '5.5rem';

/** A list without its data, for sighted readers only: its head, and rows of their real height. */
export const GhostList = (props: {
  /**
   * - `loading`: a placeholder for rows that are loading
   * - `example`: shows what rows will look like; it is marked as an example, and contains nothing that looks like data
   */
  readonly kind: 'loading' | 'example';
  readonly columns: readonly GhostColumn[];
  readonly rows: number;
  /** Rows have two lines, and there are no column headings. */
  readonly isNarrow?: boolean;
  readonly isCompact?: boolean;
  /** Room for the checkboxes of the rows. */
  readonly hasChoice?: boolean;
}) => {
  const { kind, columns, rows, isNarrow = false, isCompact = false, hasChoice = false } = props;
  const words = useWords(designWords);
  const widths = columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');
  return (
    <div
      aria-hidden
      className={classes.list}
      data-kind={kind}
      data-narrow={isNarrow || undefined}
      data-compact={isCompact || undefined}
      style={{ '--ghost-columns': hasChoice ? `2.5rem ${widths}` : widths } as CSSProperties}
    >
      {kind === 'example' && <span className={classes.badge}>{words.example}</span>}
      {(!isNarrow || hasChoice) && (
        <div className={classes.head}>
          {hasChoice && <span />}
          {!isNarrow &&
            columns.map(({ id, header, align }) => (
              <span key={id} className={classes.cell} data-align={align}>
                {header}
              </span>
            ))}
        </div>
      )}
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={row} className={classes.row}>
          {hasChoice && !isNarrow && <span />}
          {columns.map(({ id, align }, column) => {
            const width = isNarrow ? narrowFill(row, column) : fill[(row * 3 + column) % fill.length];
            return (
              <span key={id} className={classes.cell} data-align={align}>
                {kind === 'loading' ? (
                  <Ghost height={12} width={width} />
                ) : (
                  <span className={classes.bar} style={{ width }} />
                )}
              </span>
            );
          })}
        </div>
      ))}
    </div>
  );
};
