import { MultiSelect } from '@mantine/core';
import { useSearchState } from '../routing/use-search-state.ts';
import classes from './filters.module.css';
import { selectedIn } from './selected-values.ts';

/** Any of several values; kept in the address. */
export const MultiSelectFilter = <Value extends string>(props: {
  /** The name of its value in the address. */
  readonly name: string;
  readonly label: string;
  readonly allowed: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
}) => {
  const { name, label, allowed, words } = props;
  const { values, set } = useSearchState();
  const chosen = selectedIn(values[name], allowed);
  return (
    <MultiSelect
      className={classes.many}
      aria-label={label}
      data={allowed.map((value) => ({ value, label: words[value] }))}
      value={chosen}
      onChange={(next) => set({ [name]: next.join(',') })}
      {...(chosen.length === 0 && { placeholder: label })}
      searchable
      clearable
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
};
