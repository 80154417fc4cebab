import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { addressOf } from '#contracts/kernel/call-input.ts';
import { gameIds, games } from '#contracts/servers/games.ts';
import { catalogueTransferHttp } from '#contracts/store/catalogue-transfer.ts';
import type { Product } from '#contracts/store/store.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { hrefOf } from '../../kit/routing/hash-location.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { PriceText } from '../store-parts/price-text.tsx';
import { ProductPicture } from '../store-parts/product-picture.tsx';
import { useProducts } from '../use-products.ts';
import { catalogueWords } from './catalogue.words.ts';
import { ImportDialog } from './import-dialog.tsx';
import { SaleLabel } from './sale-label.tsx';
import { saleStateOf } from './sale-state.ts';
import { storeWords } from './store.words.ts';

/** The actions on the whole catalogue. */
const CatalogueMenu = () => {
  const words = useWords(catalogueWords);
  const [isImporting, setImporting] = useState(false);
  const { path, download } = catalogueTransferHttp.export;
  const exportAs = (pictures: boolean) => ({
    component: 'a' as const,
    href: addressOf(path, undefined, { pictures }),
    download,
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {words.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={hrefOf('/store/order')}>
            {words.arrange}
          </Menu.Item>
          <Menu.Item {...exportAs(false)}>{words.export}</Menu.Item>
          <Menu.Item {...exportAs(true)}>{words.exportPictures}</Menu.Item>
          <Menu.Item onClick={() => setImporting(true)}>{words.import}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
};

const rowId = ({ id }: Product) => id;
const search = ({ name, category, description }: Product) => `${name} ${category} ${description}`;

export const ProductsList = () => {
  const words = useWords(storeWords);
  const can = useCan();
  const { values } = useSearchState();
  const products = useProducts(values.archived === 'true', { everyMs: pollMs.usual });
  const { rows } = products;
  const columns = useProductColumns();
  const filters = useMemo(() => {
    const categories = [...new Set(rows.map(({ category }) => category))].filter(Boolean).sort();
    return [
      {
        id: 'game',
        label: words.game,
        options: gameIds.map((value) => ({ value, label: games[value].name })),
        matches: ({ game }: Product, value: string) => game === value,
      },
      {
        id: 'category',
        label: words.category,
        options: categories.map((value) => ({ value, label: value })),
        matches: ({ category }: Product, value: string) => category === value,
      },
      {
        id: 'approval',
        label: words.approval.filter,
        options: [{ value: 'needed', label: words.approval.needed }],
        matches: ({ approval }: Product) => approval !== null && approval.state !== 'approved',
      },
      {
        id: 'archived',
        label: words.archivedFilter,
        options: [{ value: 'true', label: words.onlyArchived }],
      },
    ];
  }, [words, rows]);
  const create = can('store.write') && (
    <AddButton onClick={() => goTo('/store/new')}>{words.create}</AddButton>
  );
  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        can('store.write') && (
          <>
            <CatalogueMenu />
            {create}
          </>
        )
      }
    >
      {products.error && rows.length === 0 ? (
        <Trouble error={products.error} onRetry={products.reload} />
      ) : (
        <DataList
          name="products"
          label={words.title}
          rows={rows}
          rowId={rowId}
          isLoading={products.isPending}
          search={search}
          filters={filters}
          columns={columns}
          rowTo={({ id }) => `/store/${id}`}
          empty={<EmptyState title={words.empty} text={words.emptyText} action={create} />}
        />
      )}
    </Frame>
  );
};

const useProductColumns = (): readonly ListColumn<Product>[] => {
  const words = useWords(storeWords);
  const format = useFormat();
  return useMemo(
    (): readonly ListColumn<Product>[] => [
      {
        id: 'name',
        header: words.name,
        cell: (product) => (
          <Group gap="xs" wrap="nowrap" component="span">
            <ProductPicture key={product.picture?.sha256} product={product} />
            <Text component="bdi" inherit truncate title={product.name}>
              {product.name}
            </Text>
          </Group>
        ),
        sortBy: ({ name }) => name,
        text: ({ name }) => name,
        width: 'minmax(10rem, 2fr)',
      },
      {
        id: 'state',
        header: words.state,
        cell: (product) => <SaleLabel product={product} />,
        sortBy: (product) => words.sale[saleStateOf(product, serverNowMs())],
        text: (product) => words.sale[saleStateOf(product, serverNowMs())],
        width: 'minmax(8.5rem, 1fr)',
      },
      {
        id: 'price',
        header: words.price,
        cell: ({ price, currentPrice }) => <PriceText basePrice={price} price={currentPrice} until={null} />,
        sortBy: (product) => product.currentPrice,
        text: (product) => String(product.currentPrice),
        width: '10rem',
        align: 'end',
      },
      {
        id: 'stock',
        header: words.stock,
        cell: ({ stock }) => (stock === null ? words.unlimited : format.number(stock)),
        sortBy: ({ stock }) => stock,
        text: ({ stock }) => String(stock ?? ''),
        width: '7rem',
        align: 'end',
        isMinor: true,
      },
      {
        id: 'game',
        header: words.game,
        cell: ({ game }) => games[game].name,
        sortBy: ({ game }) => games[game].name,
        text: ({ game }) => games[game].name,
        width: 'minmax(7rem, 1fr)',
        isMinor: true,
      },
      {
        id: 'category',
        header: words.category,
        cell: ({ category }) => <bdi>{category || '–'}</bdi>,
        sortBy: ({ category }) => category,
        text: ({ category }) => category,
        width: 'minmax(7rem, 1fr)',
        isMinor: true,
      },
    ],
    [words, format],
  );
};
