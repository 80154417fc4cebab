import { Stack, Text } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { useRoute } from 'wouter';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { useLiveServers } from '../../servers/use-live-servers.ts';
import { useProducts } from '../use-products.ts';
import { ArrangedList } from './arranged-list.tsx';
import { catalogueWords } from './catalogue.words.ts';
import { newFields } from './product-draft.ts';
import { ProductEditor } from './product-editor.tsx';
import { newProduct, presentEdit } from './product-edits.ts';
import { ProductPage } from './product-page.tsx';
import { ProductsList } from './products-list.tsx';
import { storeWords } from './store.words.ts';

const NewProductPage = () => {
  const words = useWords(storeWords);
  const can = useCan();
  const servers = useLiveServers();
  const create = useChange(storeHttp.create, [storeHttp.products]);
  const begun = useRef(
    presentEdit(newProduct)?.fields ?? newFields(servers.data?.rows[0]?.game ?? 'minecraft'),
  );
  return (
    <Frame title={words.create} description={<PanelLink to="/store">{words.all}</PanelLink>}>
      {can('store.write') ? (
        <ProductEditor
          product={null}
          begun={begun.current}
          newest={undefined}
          version={0}
          send={async (body) => {
            const made = await create.mutateAsync({ body });
            notifyDone(words.made(made.name));
            goTo(`/store/${made.id}`, { replace: true });
            return made;
          }}
        />
      ) : (
        words.readOnly
      )}
    </Frame>
  );
};

/** The products of each category, to be put in order. */
const ArrangePage = () => {
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

const CategoryCard = ({
  category,
  products,
}: {
  readonly category: string;
  readonly products: readonly Product[];
}) => {
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

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/store/:id');
  if (!isOne) return <ProductsList />;
  if (params.id === 'order') return <ArrangePage />;
  return params.id === 'new' ? <NewProductPage /> : <ProductPage key={params.id} id={params.id} />;
};
