import { type FeatureApi, serveFeature } from '../../../kernel/testing/feature-api.ts';
import { type StoreOfATest, storeOfATest } from '../../orders/testing/store-of-a-test.ts';
import { bindStoreRoutes } from '../catalogue.routes.ts';

export interface CatalogueOfATest extends AsyncDisposable {
  readonly store: StoreOfATest;
  /** The routes of its catalogue. */
  readonly api: FeatureApi;
  /** Deletes all products. */
  clear(): Promise<void>;
}

export const catalogueOfATest = async (): Promise<CatalogueOfATest> => {
  const owned = new AsyncDisposableStack();
  const store = owned.use(await storeOfATest());
  const api = owned.use(await serveFeature((routes) => bindStoreRoutes(routes, store.catalogue)));
  return {
    store,
    api,
    async clear() {
      for (const table of ['product_pictures', 'product_versions', 'products'])
        await store.query(`delete from ${table}`);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
