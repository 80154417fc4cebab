import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { designWords } from '../design/design.words.ts';
import { ExampleList } from '../design/empty-state.tsx';
import { GhostList } from '../design/ghost-list.tsx';
import { useWords } from '../language/use-words.ts';
import { useSearchState } from '../routing/use-search-state.ts';
import { BulkBar } from './bulk-bar.tsx';
import { CountLine } from './count-line.tsx';
import { useDensity } from './density.ts';
import { ListEnd } from './list-end.tsx';
import { ListGrid } from './list-grid.tsx';
import type { DataListProps } from './list-props.ts';
import { isNarrowed, readListState, writeListState } from './list-state.ts';
import { ListTools } from './list-tools.tsx';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';
import { NothingMatches } from './nothing-matches.tsx';
import { isChosen, isNoneChosen } from './selection.ts';
import { useArranged } from './use-arranged.ts';
import { useMore } from './use-more.ts';
import type { ListHandle } from './use-roving.ts';

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
