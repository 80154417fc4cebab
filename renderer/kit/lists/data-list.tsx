import { Button, Center, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { PagedRead } from '../api/queries.ts';
import { designWords } from '../design/design.words.ts';
import { ExampleList } from '../design/empty-state.tsx';
import { GhostList } from '../design/ghost-list.tsx';
import { Trouble } from '../design/trouble.tsx';
import { useFormat } from '../language/use-format.ts';
import { useWords } from '../language/use-words.ts';
import { useSearchState } from '../routing/use-search-state.ts';
import { useDensity } from './density.ts';
import { NothingMatches } from './filter-box.tsx';
import { ListGrid } from './list-grid.tsx';
import type { DataListProps, MoreRows } from './list-props.ts';
import { isNarrowed, readListState, writeListState } from './list-state.ts';
import { ListTools } from './list-tools.tsx';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';
import { BulkBar, isChosen, isNoneChosen } from './selection.tsx';
import { useArranged } from './use-arranged.ts';
import { type ListHandle, overscan } from './use-roving.ts';

/** Below this width, rows have two lines. */
const narrowPx = 640;
/** About the number that fits into a window. */
const rowsOnTheirWay = 10;
/** More would not be visible in the narrow drawing of an example. */
const mostExampleColumns = 4;

const noFilters = [] as const;

/**
 * A list of anything: its search and order are in the address, everything can be reached by the keyboard, and 100,000
 * rows scroll like ten.
 */
export const DataList = <Row,>(props: DataListProps<Row>) => {
  const { name, label, rows, columns, search, bulk, more, isLoading = false, empty } = props;
  const filters = props.filters ?? noFilters;
  const words = useWords(listsWords);
  const general = useWords(designWords);
  const isCompact = useDensity() === 'compact';
  const { values, set } = useSearchState();
  const state = readListState(values, columns, filters);
  const arranged = useArranged(props, state);
  const { entries, selection, setSelection, isStale } = arranged;
  const { ref, width } = useElementSize();
  const searchInput = useRef<HTMLInputElement>(null);
  const grid = useRef<ListHandle>(null);
  const [lastSeen, setLastSeen] = useState(0);
  const { isStuck, askAgain } = useMore(more, { loaded: rows.length, shown: entries.length, lastSeen });

  const isComplete = !isLoading && more?.hasMore !== true;
  const chosen = isNoneChosen(selection)
    ? []
    : entries.flatMap(({ id, row }) => (isChosen(selection, id) ? [row] : []));
  const clear = () => {
    set(writeListState({ ...state, q: '', filters: {} }, filters));
    searchInput.current?.focus();
  };
  const isNarrow = width > 0 ? width < narrowPx : innerWidth < narrowPx;
  const shownColumns = isNarrow ? columns.filter(({ isMinor }) => !isMinor) : columns;
  if (rows.length === 0 && isComplete && !isNarrowed(state))
    return (
      <Stack gap={0} ref={ref}>
        {empty}
        <ExampleList columns={shownColumns.slice(0, mostExampleColumns)} isNarrow={isNarrow} />
      </Stack>
    );

  return (
    <Stack gap="xs" ref={ref} className={classes.list} data-wide-content>
      <ListTools
        name={name}
        label={label}
        columns={columns}
        {...(search && { search })}
        filters={filters}
        state={state}
        entries={entries}
        isNarrow={isNarrow}
        searchInput={searchInput}
        onSet={set}
        onLeave={() => grid.current?.focus()}
        {...(props.exports && { exports: props.exports })}
      />
      <Group gap="sm" className={classes.status}>
        <CountLine
          label={label}
          shown={entries.length}
          total={rows.length}
          isComplete={isComplete}
          isLoading={isLoading}
        />
      </Group>
      {entries.length > 0 ? (
        <ListGrid
          name={name}
          label={label}
          columns={columns}
          arranged={arranged}
          state={state}
          isNarrow={isNarrow}
          canChoose={bulk !== undefined}
          hasChosen={chosen.length > 0}
          isComplete={isComplete}
          handle={grid}
          onSort={(sort) => set({ sort })}
          onLastSeen={setLastSeen}
          {...(props.rowTo && { rowTo: props.rowTo })}
          {...(props.onOpen && { onOpen: props.onOpen })}
        />
      ) : isLoading || isStale ? (
        <div role="status">
          <VisuallyHidden>{general.loading}</VisuallyHidden>
          <GhostList
            kind="loading"
            columns={shownColumns}
            rows={rowsOnTheirWay}
            isNarrow={isNarrow}
            isCompact={isCompact}
            hasChoice={bulk !== undefined}
          />
        </div>
      ) : isComplete ? (
        <NothingMatches onClear={clear} />
      ) : (
        <Text c="dimmed">{words.nothingYetText}</Text>
      )}
      {bulk && (
        <BulkBar
          acts={bulk}
          chosen={chosen}
          onDone={() => {
            setSelection(() => ({}));
            grid.current?.focus();
          }}
        />
      )}
      {more && <ListEnd more={more} hasRows={entries.length > 0} isStuck={isStuck} onAskAgain={askAgain} />}
    </Stack>
  );
};

/** A list that the API delivers page by page; loaded rows stay if reading them again fails. */
export const PagedList = <Row,>({
  paged,
  ...list
}: Omit<DataListProps<Row>, 'rows' | 'isLoading' | 'more'> & { readonly paged: PagedRead<Row> }) =>
  paged.error && paged.rows.length === 0 ? (
    <Trouble error={paged.error} onRetry={paged.reload} />
  ) : (
    <DataList {...list} rows={paged.rows} isLoading={paged.isPending} more={paged} />
  );

/** The number of pages in a row that may add no visible row before the reader has to ask for the next. */
const mostVainPages = 10;
/** The next page is fetched this many rows before the end. */
const aheadRows = 3 * overscan;

const notAsked = { loaded: -1, shown: -1, vainPages: 0 };

/** Fetches ahead while the list is scrolled. `isStuck`: it no longer does so by itself, and a button is needed. */
const useMore = (
  more: MoreRows | undefined,
  {
    loaded,
    shown,
    lastSeen,
  }: {
    /** The number of all rows that have arrived. */
    readonly loaded: number;
    readonly shown: number;
    /** Index of the last row on the screen. */
    readonly lastSeen: number;
  },
) => {
  const asked = useRef(notAsked);
  const lastLoaded = useRef(loaded);
  const [isStuck, setIsStuck] = useState(false);
  const isNear = lastSeen >= shown - 1 - aheadRows;
  const isWanted = more?.hasMore === true && !more.isLoadingMore && isNear;

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when one of these changes, not at each drawing
  useEffect(() => {
    // Fewer rows: a different list, for which nothing has been refused yet.
    if (loaded < lastLoaded.current) {
      asked.current = notAsked;
      setIsStuck(false);
    }
    lastLoaded.current = loaded;
    if (!isWanted) return;
    const { current: last } = asked;
    // The requested page has not arrived: whatever refused it would refuse it again.
    const isRefused = last.loaded === loaded;
    const vainPages = last.shown === shown ? last.vainPages + 1 : 0;
    if (isRefused || vainPages > mostVainPages) return setIsStuck(true);
    asked.current = { loaded, shown, vainPages };
    setIsStuck(false);
    more?.loadMore();
  }, [isWanted, loaded, shown]);

  return {
    isStuck: isStuck && more?.hasMore === true && !more.isLoadingMore,
    askAgain: () => {
      asked.current = { loaded, shown, vainPages: 0 };
      setIsStuck(false);
      more?.loadMore();
    },
  };
};

/** The total number of rows, and how many of them are shown. */
const CountLine = (props: {
  readonly label: string;
  readonly shown: number;
  readonly total: number;
  /** All rows have arrived. */
  readonly isComplete: boolean;
  readonly isLoading: boolean;
}) => {
  const { label, shown, total, isComplete, isLoading } = props;
  const words = useWords(listsWords);
  const { number } = useFormat();
  const all = isComplete ? words.countAll(label, number(total)) : words.countSoFar(label, number(total));
  const some = isComplete ? words.count : words.countOfSoFar;
  return (
    <Text size="sm" c="dimmed" role="status">
      {isLoading ? '' : shown === total ? all : some(label, number(shown), number(total))}
    </Text>
  );
};

/** Whether more rows follow the loaded ones. */
const ListEnd = (props: {
  readonly more: MoreRows;
  readonly hasRows: boolean;
  /** It does not continue by itself. */
  readonly isStuck: boolean;
  readonly onAskAgain: () => void;
}) => {
  const { more, hasRows, isStuck, onAskAgain } = props;
  const words = useWords(listsWords);
  const text = more.isLoadingMore ? words.loadingMore : !more.hasMore && hasRows ? words.end : '';
  return (
    <Center>
      <Text size="sm" c="dimmed" role="status">
        {text}
      </Text>
      {isStuck && (
        <Button variant="default" onClick={onAskAgain}>
          {words.loadMore}
        </Button>
      )}
    </Center>
  );
};
