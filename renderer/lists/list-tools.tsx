import { Group, Stack } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { useWords } from '../language/use-words.ts';
import type { SearchValues } from '../routing/use-search-state.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterBox } from './filter-box.tsx';
import { FilterFold } from './filter-fold.tsx';
import type { DataListProps } from './list-props.ts';
import { type ListState, readListState, writeListState, writeSort } from './list-state.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';
import { SearchBox } from './search-box.tsx';
import type { Entry } from './use-arranged.ts';
import { ViewsMenu } from './views-menu.tsx';

export interface ListToolsProps<Row>
  extends Pick<DataListProps<Row>, 'name' | 'label' | 'columns' | 'search' | 'exports'> {
  readonly filters: NonNullable<DataListProps<Row>['filters']>;
  readonly state: ListState;
  readonly entries: readonly Entry<Row>[];
  readonly isNarrow: boolean;
  readonly searchInput: RefObject<HTMLInputElement | null>;
  readonly onSet: (values: SearchValues) => void;
  /** Moves down from the search box into the list. */
  readonly onLeave: () => void;
}

/** The search, filters and order of a list, and the actions on everything it shows. */
export const ListTools = <Row,>(props: ListToolsProps<Row>) => {
  const { name, label, columns, search, filters, state, entries, isNarrow, onSet } = props;
  const words = useWords(listsWords);
  const count = Object.keys(state.filters).length;
  const [isOpen, setIsOpen] = useState(count > 0);

  const view = new URLSearchParams(
    Object.entries(writeListState(state, filters)).filter(([, value]) => value !== ''),
  ).toString();
  const showView = (wanted: string) => {
    const saved = readListState(Object.fromEntries(new URLSearchParams(wanted)), columns, filters);
    onSet(writeListState(saved, filters));
  };

  const searchBox = search && (
    <SearchBox
      label={label}
      value={state.q}
      at={search === 'api' ? 'api' : 'here'}
      inputRef={props.searchInput}
      onSearch={(q) => onSet({ q })}
      onLeave={props.onLeave}
    />
  );
  const boxes = filters.map(({ id, label: filterLabel, options }) => (
    <FilterBox
      key={id}
      label={filterLabel}
      options={options}
      value={state.filters[id] ?? null}
      onChange={(value) => onSet({ [id]: value })}
    />
  ));
  const menus = (
    <>
      <ViewsMenu name={name} search={view} onChoose={showView} />
      <ExportMenu
        name={name}
        columns={columns}
        entries={entries}
        {...(props.exports && { exports: props.exports })}
      />
    </>
  );
  if (!isNarrow)
    return (
      <Group gap="xs" justify="space-between" align="flex-start">
        <Group gap="xs" className={classes.narrowing}>
          {searchBox}
          {boxes}
        </Group>
        <Group gap="xs">{menus}</Group>
      </Group>
    );

  // There are no headings to click on.
  const orders = columns.flatMap(({ id, header, sortBy }) =>
    sortBy
      ? [false, true].map((isDescending) => ({
          value: writeSort({ id, isDescending }),
          label: words.order(header, isDescending),
        }))
      : [],
  );
  return (
    <Stack gap="xs">
      {searchBox && <Group className={classes.tools}>{searchBox}</Group>}
      <Group gap="xs" className={classes.tools}>
        {(boxes.length > 0 || orders.length > 0) && (
          <FilterFold count={count} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        )}
        {menus}
      </Group>
      {isOpen && (
        <div className={classes.folded}>
          {boxes}
          {orders.length > 0 && (
            <FilterBox
              label={words.orderBy}
              options={orders}
              value={writeSort(state.sort) || null}
              onChange={(sort) => onSet({ sort })}
            />
          )}
        </div>
      )}
    </Stack>
  );
};
