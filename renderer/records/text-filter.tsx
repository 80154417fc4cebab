import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchState } from '../routing/use-search-state.ts';
import classes from './filters.module.css';
import { labelInside } from './label-inside.tsx';

const longestText = 200;

export interface TextFilterProps {
  /** The name of its value in the address. */
  readonly name: string;
  readonly label: string;
  /** What can be typed; absent: anything that an entry contains. */
  readonly help?: string;
}

/** A typed text; kept in the address. */
export const TextFilter = ({ name, label, help }: TextFilterProps) => {
  const { values, set } = useSearchState();
  return (
    <TextInput
      className={classes.text}
      aria-label={label}
      placeholder={help ?? label}
      {...(help === undefined ? { leftSection: <IconSearch size={16} aria-hidden /> } : labelInside(label))}
      value={values[name] ?? ''}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
      maxLength={longestText}
    />
  );
};
