import { Stack } from '@mantine/core';
import { storeFiguresHttp } from '#contracts/store-figures.ts';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { useSearchState } from '../../routing/use-search-state.ts';
import { useRead } from '../../wire/queries.ts';
import { chosenRange } from './chosen-range.ts';
import { PointsFigures } from './points-figures.tsx';
import { RangeChoice } from './range-choice.tsx';
import { SellerFigures, ServerTable } from './range-tables.tsx';
import { SalesFigures } from './sales-figures.tsx';
import classes from './store-figures.module.css';
import { storeFiguresWords } from './store-figures.words.ts';

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
