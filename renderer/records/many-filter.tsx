import { MultiSelect } from '@mantine/core';
import { useSearchState } from '../routing/use-search-state.ts';
import { manyIn } from './many.ts';

export interface ManyFilterProps<Value extends string> {
  /** Of its value in the address. */
  readonly name: string;
  readonly label: string;
  readonly allowed: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
  readonly all: string;
}

/** Any of several values; kept in the address. */
export const ManyFilter = <Value extends string>({
  name,
  label,
  allowed,
  words,
  all,
}: ManyFilterProps<Value>) => {
  const { values, set } = useSearchState();
  const chosen = manyIn(values[name], allowed);
  return (
    <MultiSelect
      size="xs"
      label={label}
      data={allowed.map((value) => ({ value, label: words[value] }))}
      value={chosen}
      onChange={(next) => set({ [name]: next.join(',') })}
      {...(chosen.length === 0 && { placeholder: all })}
      searchable
      clearable
    />
  );
};
