import { useEffect } from 'react';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { type PagedRead, type ReadOptions, usePagedRead } from '../kit/api/queries.ts';

/** All products in use, or all archived ones, read page by page. */
export const useProducts = (archived: boolean, options: ReadOptions = {}): PagedRead<Product> => {
  const products = usePagedRead(
    storeHttp.products,
    { query: { archived: archived ? 'true' : 'false', limit: '500' } },
    options,
  );
  const { hasMore, isLoadingMore, error, loadMore } = products;
  useEffect(() => {
    if (hasMore && !isLoadingMore && error === null) loadMore();
  });
  return products;
};
