import { Button, Select } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { EmptyState } from '../design/empty-state.tsx';
import { useWords } from '../language/use-words.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';

/** From this number of options on, people can type to find one. */
const many = 8;

/** Says what it filters by even when a value is selected. */
export const FilterBox = (props: {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** One of them is always selected. */
  readonly isRequired?: boolean;
}) => {
  const { label, options, value, onChange, isRequired = false } = props;
  const words = useWords(listsWords);
  const names = new Map(options.map((option) => [option.value, option.label]));
  return (
    <Select
      className={classes.filter}
      aria-label={label}
      placeholder={label}
      data={options.map((option) => ({
        value: option.value,
        label: words.filterValue(label, option.label),
      }))}
      renderOption={({ option }) => <bdi>{names.get(option.value)}</bdi>}
      value={value}
      searchable={options.length > many}
      clearable={!isRequired}
      allowDeselect={!isRequired}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
};

/** On a phone the filters are collapsed behind this, which shows how many are set. */
export const FilterFold = (props: {
  /** How many are set. */
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) => {
  const { count, isOpen, onToggle } = props;
  const words = useWords(listsWords);
  return (
    <Button
      variant={count > 0 ? 'light' : 'default'}
      px="sm"
      leftSection={<IconFilter size={16} aria-hidden />}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {count > 0 ? words.filtersSet(count) : words.filters}
    </Button>
  );
};

/** Where the search and the filters leave no rows. */
export const NothingMatches = ({ onClear }: { readonly onClear: () => void }) => {
  const words = useWords(listsWords);
  return (
    <EmptyState
      title={words.nothingMatches}
      text={words.nothingMatchesText}
      action={
        <Button variant="default" onClick={onClear}>
          {words.clearAll}
        </Button>
      }
    />
  );
};
