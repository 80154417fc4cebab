import { CloseButton, Group, Kbd, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useState } from 'react';
import { useWords } from '../language/use-words.ts';
import type { SearchValues } from '../routing/use-search-state.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterBox, FilterFold } from './filter-box.tsx';
import type { DataListProps } from './list-props.ts';
import { type ListState, longestSearch, readListState, writeListState, writeSort } from './list-state.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';
import type { Entry } from './use-arranged.ts';
import { ViewsMenu } from './views-menu.tsx';

/** The search, filters and order of a list, and the actions on everything it shows. */
export const ListTools = <Row,>(
  props: Pick<DataListProps<Row>, 'name' | 'label' | 'columns' | 'search' | 'exports'> & {
    readonly filters: NonNullable<DataListProps<Row>['filters']>;
    readonly state: ListState;
    readonly entries: readonly Entry<Row>[];
    readonly isNarrow: boolean;
    readonly searchInput: RefObject<HTMLInputElement | null>;
    readonly onSet: (values: SearchValues) => void;
    /** Moves down from the search box into the list. */
    readonly onLeave: () => void;
  },
) => {
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

/** As fast as a list on this device can keep up, and as often as an API should be asked. */
const pauseMs = { here: 60, api: 300 } as const;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** `/` focuses it from anywhere on the page; Escape clears it. */
const SearchBox = (props: {
  readonly label: string;
  readonly value: string;
  readonly at: keyof typeof pauseMs;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onSearch: (text: string) => void;
  /** Moves down from the box into the list. */
  readonly onLeave: () => void;
}) => {
  const { label, value, at, inputRef, onSearch, onLeave } = props;
  const words = useWords(listsWords);
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const send = useDebouncedCallback((wanted: string) => {
    setSent(wanted);
    onSearch(wanted);
  }, pauseMs[at]);

  // A saved view, a link or "clear" has changed it from outside.
  if (value !== sent) {
    setSent(value);
    setText(value);
  }

  const type = (wanted: string) => {
    setText(wanted);
    send(wanted);
  };

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (isTyping(event.target) || document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      inputRef.current?.focus();
      inputRef.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, [inputRef]);

  return (
    <TextInput
      ref={inputRef}
      type="search"
      className={classes.search}
      aria-label={words.searchIn(label)}
      aria-keyshortcuts="/"
      placeholder={words.search}
      value={text}
      maxLength={longestSearch}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs" aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton
            size="sm"
            aria-label={words.clear(words.search)}
            onClick={() => {
              type('');
              inputRef.current?.focus();
            }}
          />
        )
      }
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text !== '') {
          event.preventDefault();
          type('');
        } else if (event.key === 'ArrowDown') {
          event.preventDefault();
          onLeave();
        }
      }}
    />
  );
};
