import { useMemo } from 'react';
import { type Product, storeHttp } from '#contracts/store.ts';
import { useCan } from '../access/access-state.ts';
import { useRead } from '../wire/queries.ts';

export interface ProductNames {
  /** In use, by their names. */
  readonly ids: readonly string[];
  /** Of archived ones, too; the id itself of one that must not be seen. */
  nameOf(id: string): string;
}

const none: readonly Product[] = [];

export const useProductNames = (): ProductNames => {
  const enabled = useCan()('store.read');
  const inUse = useRead(storeHttp.products, { query: {} }, { enabled }).data?.rows ?? none;
  const archived =
    useRead(storeHttp.products, { query: { archived: 'true' } }, { enabled }).data?.rows ?? none;
  return useMemo(() => {
    const names = new Map([...archived, ...inUse].map(({ id, name }) => [id, name]));
    const ids = inUse.toSorted((a, b) => a.name.localeCompare(b.name)).map(({ id }) => id);
    return { ids, nameOf: (id) => names.get(id) ?? id };
  }, [inUse, archived]);
};
