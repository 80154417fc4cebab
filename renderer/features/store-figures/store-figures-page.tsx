import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { storeFiguresHttp } from '#contracts/store-figures.ts';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { useSearchState } from '../../routing/use-search-state.ts';
import { useRead } from '../../wire/queries.ts';
import { type ChosenRange, chosenRange, rangeNames } from './chosen-range.ts';
import { PointsFigures } from './points-figures.tsx';
import { SellerFigures, ServerTable } from './range-tables.tsx';
import { SalesFigures } from './sales-figures.tsx';
import classes from './store-figures.module.css';
import { storeFiguresWords } from './store-figures.words.ts';

/** The range of all figures, kept in the address. */
const RangeChoice = ({ name, query }: ChosenRange) => {
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

export const Page = () => {
  const words = useWords(storeFiguresWords);
  const { values } = useSearchState();
  const chosen = chosenRange(values);
  const query = chosen.query ?? { days: 30 };
  const { data } = useRead(storeFiguresHttp.sales, { query });
  return (
    <Frame title={words.title} description={data ? words.description(data.timeZone) : words.describes}>
      <Stack gap="md" className={classes.page}>
        <RangeChoice {...chosen} />
        <SalesFigures query={query} />
        <PointsFigures query={query} />
        <div className={classes.pair}>
          <SellerFigures query={query} />
          <ServerTable query={query} />
        </div>
      </Stack>
    </Frame>
  );
};
