import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Product } from '#contracts/store.ts';
import { storeHttp } from '#contracts/store-http.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Loading } from '../../design/loading.tsx';
import { notifyDone, notifyTrouble } from '../../design/notify.ts';
import { Page as Frame } from '../../design/page.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { Trouble } from '../../design/trouble.tsx';
import { useWords } from '../../language/use-words.ts';
import { useProducts } from '../../store-parts/use-products.ts';
import { useChange } from '../../wire/queries.ts';
import { ArrangedList } from './arranged-list.tsx';
import { catalogueWords } from './catalogue.words.ts';
import { storeWords } from './store.words.ts';

/** The products of each category, to be put in order. */
export const ArrangePage = () => {
  const words = useWords(catalogueWords);
  const store = useWords(storeWords);
  const mayChange = useCan()('store.write');
  const products = useProducts(false);
  const { rows, error, isPending, hasMore, reload } = products;
  const categories = useMemo(() => Map.groupBy(rows, ({ category }) => category), [rows]);
  return (
    <Frame
      title={words.arrange}
      description={
        <>
          <PanelLink to="/store">{store.all}</PanelLink>
          <Text size="sm">{mayChange ? `${words.arrangeText} ${words.howTo}` : words.readOnly}</Text>
        </>
      }
    >
      {error && (rows.length === 0 || hasMore) && <Trouble error={error} onRetry={reload} />}
      {(isPending || hasMore) && !error && <Loading />}
      {!isPending && !error && rows.length === 0 && <EmptyState title={words.empty} />}
      {mayChange && !hasMore && (
        <Stack gap="md">
          {[...categories].map(([category, inside]) => (
            <CategoryCard key={category} category={category} products={inside} />
          ))}
        </Stack>
      )}
    </Frame>
  );
};

interface CategoryCardProps {
  readonly category: string;
  readonly products: readonly Product[];
}

const CategoryCard = ({ category, products }: CategoryCardProps) => {
  const words = useWords(catalogueWords);
  const order = useChange(storeHttp.order, [storeHttp.products]);
  const title = category || words.noCategory;
  const save = async (ids: readonly string[]) => {
    try {
      await order.mutateAsync({ body: { category, ids: [...ids] } });
      notifyDone(words.arranged);
    } catch (failure) {
      notifyTrouble(failure);
      throw failure;
    }
  };
  return (
    <Card title={title}>
      <ArrangedList label={title} products={products} isSaving={order.isPending} onArranged={save} />
    </Card>
  );
};
