import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useWords } from '../language/use-words.ts';
import type { ListColumn } from './list-props.ts';
import type { ListSort } from './list-state.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';

export interface ListHeadProps<Row> {
  readonly columns: readonly ListColumn<Row>[];
  readonly isNarrow: boolean;
  readonly sort: ListSort | null;
  readonly onSort: (id: string) => void;
  /** Absent: rows cannot be selected here. */
  readonly choice?: { readonly state: 'none' | 'some' | 'all'; readonly onToggle: () => void };
}

export const ListHead = <Row,>({ columns, isNarrow, sort, onSort, choice }: ListHeadProps<Row>) => {
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
