import { Select } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';

/** From this number of options on, people can type to find one. */
const many = 8;

export interface FilterBoxProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** One of them is always selected. */
  readonly isRequired?: boolean;
}

/** Says what it filters by even when a value is selected. */
export const FilterBox = ({ label, options, value, onChange, isRequired = false }: FilterBoxProps) => {
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
