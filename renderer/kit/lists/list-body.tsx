import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, memo, type RefObject, useCallback, useEffect, useImperativeHandle } from 'react';
import { useWords } from '../language/use-words.ts';
import { hrefOf } from '../routing/hash-location.ts';
import { useDensity } from './density.ts';
import type { DataListProps } from './list-props.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';
import { isChosen, type Selection } from './selection.tsx';
import type { Entry } from './use-arranged.ts';
import { type ListPlace, type ListVirtualizer, openRow, overscan, type RowActions } from './use-roving.ts';

/** A click on a control in a cell, or the end of a text selection, opens nothing. */
const isForSomethingElse = ({ target, currentTarget }: MouseEvent): boolean =>
  (target instanceof Element && target.closest('a, button, input, label') !== null) ||
  // Floating elements, such as a menu's items, are not inside the row, although their events bubble through here.
  !(target instanceof Node && currentTarget.contains(target)) ||
  getSelection()?.isCollapsed === false;

const Row = <Row,>(props: {
  readonly entry: Entry<Row>;
  readonly index: number;
  readonly columns: DataListProps<Row>['columns'];
  readonly actions: RowActions<Row>;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly startPx: number;
  readonly measure: (element: Element | null) => void;
}) => {
  const { entry, index, columns, actions, isActive, isChosen: isSelected, startPx, measure } = props;
  const { id, row } = entry;
  const { onActive, onChoose, rowTo, onOpen } = actions;
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
      {...(onChoose && { 'aria-selected': isSelected })}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${startPx}px)` }}
      onFocus={() => onActive(id)}
      onClick={(event) => {
        if (isForSomethingElse(event)) return;
        if (opens) openRow(row, actions, event.ctrlKey || event.metaKey);
        else onChoose?.(id, event.shiftKey);
      }}
      onAuxClick={(event) => {
        if (event.button === 1 && rowTo && !isForSomethingElse(event)) openRow(row, actions, true);
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
              checked={isSelected}
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
const ListRow = memo(Row) as typeof Row;

/** Before they are measured. */
const rowHeightPx = { comfortable: 44, compact: 36, narrow: 64 } as const;
const headHeightPx = 36;

/** Only the rows on the screen are rendered; scrolling renders nothing else. */
export const ListBody = <Row,>({
  entries,
  columns,
  actions,
  activeIndex,
  selection,
  isNarrow,
  hasHead,
  place,
  scroller,
  handle,
  onLastSeen,
}: {
  readonly entries: readonly Entry<Row>[];
  readonly columns: DataListProps<Row>['columns'];
  readonly actions: RowActions<Row>;
  readonly activeIndex: number;
  readonly selection: Selection;
  readonly isNarrow: boolean;
  readonly hasHead: boolean;
  readonly place: ListPlace;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly handle: RefObject<ListVirtualizer | null>;
  /** Called with the index of the last row on the screen whenever that changes. */
  readonly onLastSeen: (index: number) => void;
}) => {
  const density = useDensity();
  const headPx = hasHead ? headHeightPx : 0;
  // A new function would make it compute the positions of all rows again.
  const getItemKey = useCallback((index: number) => entries[index]?.id ?? index, [entries]);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx[isNarrow ? 'narrow' : density],
    getItemKey,
    overscan,
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
    initialOffset: place.offsetPx,
    // The row that has the keyboard position stays, however far the reader scrolls.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      if (activeIndex < 0 || activeIndex >= range.count || seen.includes(activeIndex)) return seen;
      return [...seen, activeIndex].sort((a, b) => a - b);
    },
    onChange: ({ scrollOffset }) => {
      place.offsetPx = scrollOffset ?? 0;
    },
  });
  useImperativeHandle(handle, () => virtualizer, [virtualizer]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: heights of the other shape are of no use
  useEffect(() => virtualizer.measure(), [isNarrow, density]);
  const lastSeen = virtualizer.range?.endIndex ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when either changes
  useEffect(() => onLastSeen(lastSeen), [lastSeen, entries.length]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table's rows cannot be placed one by one
    <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const entry = entries[index];
        return (
          entry && (
            <ListRow
              key={key}
              entry={entry}
              index={index}
              columns={columns}
              actions={actions}
              isActive={index === activeIndex}
              isChosen={isChosen(selection, entry.id)}
              startPx={start - headPx}
              measure={virtualizer.measureElement}
            />
          )
        );
      })}
    </div>
  );
};
