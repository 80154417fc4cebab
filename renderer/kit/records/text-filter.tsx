import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchState } from '../routing/use-search-state.ts';
import classes from './filters.module.css';

const longestText = 200;

/** A typed text; kept in the address. */
export const TextFilter = ({
  name,
  label,
}: {
  /** The name of its value in the address. */
  readonly name: string;
  readonly label: string;
}) => {
  const { values, set } = useSearchState();
  return (
    <TextInput
      className={classes.text}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={values[name] ?? ''}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
      maxLength={longestText}
    />
  );
};
