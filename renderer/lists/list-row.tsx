import { type MouseEvent, memo } from 'react';
import { useWords } from '../language/use-words.ts';
import { hrefOf } from '../routing/hash-location.ts';
import { goTo } from '../routing/use-hash-location.ts';
import type { DataListProps } from './list-props.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';
import type { Entry } from './use-arranged.ts';

export interface RowDeeds<Row> {
  /** Called on a click: the keyboard continues from here. */
  readonly onActive: (id: string) => void;
  /** Absent: rows cannot be selected here. */
  readonly onChoose?: ((id: string, toHere: boolean) => void) | undefined;
  readonly rowTo?: DataListProps<Row>['rowTo'];
  readonly onOpen?: DataListProps<Row>['onOpen'];
}

export interface ListRowProps<Row> {
  readonly entry: Entry<Row>;
  readonly index: number;
  readonly columns: DataListProps<Row>['columns'];
  readonly deeds: RowDeeds<Row>;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly startPx: number;
  readonly measure: (element: Element | null) => void;
}

export const openRow = <Row,>(row: Row, { rowTo, onOpen }: RowDeeds<Row>, inNewTab: boolean): void => {
  if (!rowTo) onOpen?.(row);
  else if (inNewTab) window.open(hrefOf(rowTo(row)), '_blank', 'noopener');
  else goTo(rowTo(row));
};

/** A click on a control in a cell, or the end of a text selection, opens nothing. */
const isForSomethingElse = ({ target, currentTarget }: MouseEvent): boolean =>
  (target instanceof Element && target.closest('a, button, input, label') !== null) ||
  // Floating elements, such as a menu's items, are not inside the row, although their events bubble through here.
  !(target instanceof Node && currentTarget.contains(target)) ||
  getSelection()?.isCollapsed === false;

const Row = <Row,>(props: ListRowProps<Row>) => {
  const { entry, index, columns, deeds, isActive, isChosen, startPx, measure } = props;
  const { id, row } = entry;
  const { onActive, onChoose, rowTo, onOpen } = deeds;
  const words = useWords(listsWords);
  const opens = rowTo !== undefined || onOpen !== undefined;
  const name = columns[0]?.text?.(row) ?? '';

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table's rows cannot be placed one by one
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys
    <div
      ref={measure}
      role="row"
      className={classes.row}
      data-index={index}
      data-active={isActive || undefined}
      data-opens={opens || undefined}
      aria-rowindex={index + 2}
      {...(onChoose && { 'aria-selected': isChosen })}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${startPx}px)` }}
      onFocus={() => onActive(id)}
      onClick={(event) => {
        if (isForSomethingElse(event)) return;
        if (opens) openRow(row, deeds, event.ctrlKey || event.metaKey);
        else onChoose?.(id, event.shiftKey);
      }}
      onAuxClick={(event) => {
        if (event.button === 1 && rowTo && !isForSomethingElse(event)) openRow(row, deeds, true);
      }}
    >
      {onChoose && (
        // biome-ignore lint/a11y/useSemanticElements: see the row
        // biome-ignore lint/a11y/useFocusableInteractive: its row takes the focus
        <div role="gridcell" className={classes.choice}>
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`${words.choose} ${name}`}
              checked={isChosen}
              onChange={({ nativeEvent }) =>
                onChoose(id, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
              }
            />
          </label>
        </div>
      )}
      {columns.map((column, at) => (
        // biome-ignore lint/a11y/useSemanticElements: see the row
        // biome-ignore lint/a11y/useFocusableInteractive: its row takes the focus
        <div key={column.id} role="gridcell" className={classes.cell} data-align={column.align}>
          {at === 0 && rowTo ? (
            <a href={hrefOf(rowTo(row))} tabIndex={-1} className={classes.link}>
              {column.cell(row)}
            </a>
          ) : (
            column.cell(row)
          )}
        </div>
      ))}
    </div>
  );
};

/** Scrolling adds rows at the edge; the others are not rendered again. */
export const ListRow = memo(Row) as typeof Row;
