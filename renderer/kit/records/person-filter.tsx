import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useWords } from '../language/use-words.ts';
import { listsWords } from '../lists/lists.words.ts';
import classes from './filters.module.css';
import { recordsWords } from './records.words.ts';

interface Person {
  /** As in the address: `admin:<id>`. */
  readonly value: string;
  readonly name: string;
  /** The kind of person, in words. */
  readonly group: string;
}

const settledMs = 250;

/** One person out of many, by name; people with the same name are under different headings, or have a hint. */
export const PersonFilter = (props: {
  readonly people: readonly Person[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** Called with the typed text after a pause, for people who are found only by their names. */
  readonly onSearch: (text: string) => void;
}) => {
  const { people, value, onChange, onSearch } = props;
  const words = useWords(recordsWords);
  const { filterValue } = useWords(listsWords);
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, settledMs);
  const names = new Map(people.map((person) => [person.value, person.name]));
  const shown = value === null ? '' : filterValue(words.person, names.get(value) ?? value);
  const text = settled === shown ? '' : settled.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed is searched for
  useEffect(() => onSearch(text), [text]);
  const groups = [...new Set(people.map(({ group }) => group))];
  return (
    <Select
      className={classes.person}
      aria-label={words.person}
      placeholder={words.person}
      data={groups.map((group) => ({
        group,
        items: people
          .filter((person) => person.group === group)
          .map((person) => ({ value: person.value, label: filterValue(words.person, person.name) })),
      }))}
      renderOption={({ option }) => <bdi className={classes.personName}>{names.get(option.value)}</bdi>}
      value={value}
      searchable
      clearable
      nothingFoundMessage={text === '' ? words.searchPeople : words.noPeople}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(chosen) => onChange(chosen ?? '')}
      comboboxProps={{ width: '20rem', position: 'bottom-start', withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: classes.people ?? '' }}
    />
  );
};
