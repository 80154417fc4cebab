import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type CSSProperties, type Ref, useLayoutEffect, useRef, useState } from 'react';
import { useWords } from '../language/use-words.ts';
import { useDensity } from './density.ts';
import { ListBody } from './list-body.tsx';
import type { DataListProps, ListColumn } from './list-props.ts';
import { type ListSort, type ListState, nextSort, writeSort } from './list-state.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';
import { allOrNone, isChosen, isNoneChosen, type Selection } from './selection.tsx';
import type { Arranged } from './use-arranged.ts';
import { type ListHandle, type ListVirtualizer, useListPlace, useRoving } from './use-roving.ts';

/** The top of the list on the page, so that it reaches down to the lower edge of the window. */
const useTop = (element: { readonly current: HTMLElement | null }): number => {
  const [top, setTop] = useState(200);
  useLayoutEffect(() => {
    const measure = () => {
      const rectangle = element.current?.getBoundingClientRect();
      if (rectangle) setTop(Math.round(rectangle.top + scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
};

/** A shorter list ends above the bar. */
const rowsBelowBar = 8;

const choiceOf = (
  selection: Selection,
  entries: readonly { readonly id: string }[],
): 'none' | 'some' | 'all' => {
  if (isNoneChosen(selection)) return 'none';
  const count = entries.filter(({ id }) => isChosen(selection, id)).length;
  return count === 0 ? 'none' : count === entries.length ? 'all' : 'some';
};

export const ListGrid = <Row,>(
  props: Pick<DataListProps<Row>, 'name' | 'label' | 'columns' | 'rowTo' | 'onOpen'> & {
    readonly arranged: Arranged<Row>;
    readonly state: ListState;
    readonly isNarrow: boolean;
    readonly canChoose: boolean;
    /** A bar covers the lower edge of the window. */
    readonly hasChosen: boolean;
    readonly isComplete: boolean;
    readonly handle: Ref<ListHandle>;
    readonly onSort: (sort: string) => void;
    readonly onLastSeen: (index: number) => void;
  },
) => {
  const { name, label, columns, arranged, state, isNarrow, canChoose, isComplete, handle } = props;
  const { entries, selection, setSelection, isStale } = arranged;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRef<ListVirtualizer>(null);
  const place = useListPlace(name);
  const top = useTop(scroller);
  const density = useDensity();
  const { position, actions, onKeyDown } = useRoving({
    entries,
    onChoice: canChoose ? setSelection : undefined,
    handle,
    place,
    element: scroller,
    virtualizer,
    ...(props.rowTo && { rowTo: props.rowTo }),
    ...(props.onOpen && { onOpen: props.onOpen }),
  });
  const shownColumns = isNarrow ? columns.filter(({ isMinor }) => !isMinor) : columns;
  const order = () => entries.map(({ id }) => id);
  const widths = shownColumns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table's rows cannot be placed one by one
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={isComplete ? entries.length + 1 : -1}
      aria-multiselectable={canChoose}
      aria-busy={isStale}
      className={classes.grid}
      data-narrow={isNarrow || undefined}
      data-density={density}
      data-has-bar={(props.hasChosen && entries.length > rowsBelowBar) || undefined}
      style={
        {
          '--list-top': `${top}px`,
          '--list-columns': canChoose ? `2.5rem ${widths}` : widths,
        } as CSSProperties
      }
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      <div role="rowgroup" className={classes.heads}>
        <ListHead
          columns={shownColumns}
          isNarrow={isNarrow}
          sort={state.sort}
          onSort={(id) => props.onSort(writeSort(nextSort(state.sort, id)))}
          {...(canChoose && {
            choice: {
              state: choiceOf(selection, entries),
              onToggle: () => setSelection((present) => allOrNone(present, order())),
            },
          })}
        />
      </div>
      <ListBody
        entries={entries}
        columns={shownColumns}
        actions={actions}
        activeIndex={position?.index ?? -1}
        selection={selection}
        isNarrow={isNarrow}
        hasHead={!isNarrow || canChoose}
        place={place}
        scroller={scroller}
        handle={virtualizer}
        onLastSeen={props.onLastSeen}
      />
    </div>
  );
};

const ListHead = <Row,>(props: {
  readonly columns: readonly ListColumn<Row>[];
  readonly isNarrow: boolean;
  readonly sort: ListSort | null;
  readonly onSort: (id: string) => void;
  /** Absent: rows cannot be selected here. */
  readonly choice?: { readonly state: 'none' | 'some' | 'all'; readonly onToggle: () => void };
}) => {
  const { columns, isNarrow, sort, onSort, choice } = props;
  const words = useWords(listsWords);
  // Where rows have two lines there are no columns to name: the order is one of the tools above the list.
  if (isNarrow && !choice) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table's rows cannot be placed one by one
    // biome-ignore lint/a11y/useFocusableInteractive: what is in it takes the focus
    <div role="row" className={classes.head} aria-rowindex={1}>
      {choice && (
        // biome-ignore lint/a11y/useSemanticElements: see the row
        // biome-ignore lint/a11y/useFocusableInteractive: see the row
        <div role="columnheader" className={classes.choice}>
          <label>
            <input
              type="checkbox"
              aria-label={words.chooseAll}
              checked={choice.state === 'all'}
              ref={(box) => {
                if (box) box.indeterminate = choice.state === 'some';
              }}
              onChange={choice.onToggle}
            />
            {isNarrow && <span aria-hidden>{words.chooseAll}</span>}
          </label>
        </div>
      )}
      {!isNarrow &&
        columns.map(({ id, header, sortBy, align }) => {
          const order = sort?.id === id ? (sort.isDescending ? 'descending' : 'ascending') : 'none';
          return (
            // biome-ignore lint/a11y/useSemanticElements: see the row
            // biome-ignore lint/a11y/useFocusableInteractive: see the row
            <div
              key={id}
              role="columnheader"
              className={classes.cell}
              data-align={align}
              {...(sortBy && { 'aria-sort': order })}
            >
              {sortBy ? (
                <UnstyledButton className={classes.sort} onClick={() => onSort(id)}>
                  <span>{header}</span>
                  {order === 'ascending' && <IconArrowUp size={14} aria-hidden />}
                  {order === 'descending' && <IconArrowDown size={14} aria-hidden />}
                </UnstyledButton>
              ) : (
                header
              )}
            </div>
          );
        })}
    </div>
  );
};
