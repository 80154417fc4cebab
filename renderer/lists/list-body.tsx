import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useImperativeHandle } from 'react';
import { useDensity } from './density.ts';
import type { ListPlace } from './list-place.ts';
import type { DataListProps } from './list-props.ts';
import { ListRow, type RowDeeds } from './list-row.tsx';
import classes from './lists.module.css';
import type { Selection } from './selection.ts';
import { isChosen } from './selection.ts';
import type { Entry } from './use-arranged.ts';
import { type ListVirtualizer, overscan } from './use-roving.ts';

/** Before they are measured. */
const rowHeightPx = { comfortable: 44, compact: 36, narrow: 64 } as const;
const headHeightPx = 36;

export interface ListBodyProps<Row> {
  readonly entries: readonly Entry<Row>[];
  readonly columns: DataListProps<Row>['columns'];
  readonly deeds: RowDeeds<Row>;
  readonly activeIndex: number;
  readonly selection: Selection;
  readonly isNarrow: boolean;
  readonly hasHead: boolean;
  readonly place: ListPlace;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly handle: RefObject<ListVirtualizer | null>;
  /** Called with the index of the last row on the screen whenever that changes. */
  readonly onLastSeen: (index: number) => void;
}

/** Only the rows on the screen are rendered; scrolling renders nothing else. */
export const ListBody = <Row,>(props: ListBodyProps<Row>) => {
  const { entries, columns, deeds, activeIndex, selection, isNarrow, place, scroller, handle, onLastSeen } =
    props;
  const density = useDensity();
  const headPx = props.hasHead ? headHeightPx : 0;
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: told by what changes
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
              deeds={deeds}
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
