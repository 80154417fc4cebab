import { Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useWords } from '../../language/use-words.ts';
import { useSearchState } from '../../routing/use-search-state.ts';
import { type ChosenRange, rangeNames } from './chosen-range.ts';
import { storeFiguresWords } from './store-figures.words.ts';

/** The range of all figures, kept in the address. */
export const RangeChoice = ({ name, query }: ChosenRange) => {
  const words = useWords(storeFiguresWords);
  const { values, set } = useSearchState();
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        size="xs"
        aria-label={words.range}
        value={name}
        onChange={(range) => set({ range })}
        data={rangeNames.map((value) => ({ value, label: words.ranges[value] }))}
      />
      {name === 'custom' &&
        (['from', 'to'] as const).map((edge) => (
          <TextInput
            key={edge}
            type="date"
            size="xs"
            label={words[edge]}
            min="2000-01-01"
            max="2999-12-31"
            value={values[edge] ?? ''}
            onChange={({ currentTarget }) => set({ [edge]: currentTarget.value })}
          />
        ))}
      {query === null && (
        <Text size="sm" role="status">
          {words.badRange}
        </Text>
      )}
    </Group>
  );
};
