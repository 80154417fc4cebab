import { useMemo } from 'react';
import { useCan } from '../access/access-state.ts';
import { useProducts } from './use-products.ts';

export interface ProductNames {
  /** In use, by their names. */
  readonly ids: readonly string[];
  /** Of archived ones, too; the id itself of one that must not be seen. */
  nameOf(id: string): string;
}

export const useProductNames = (): ProductNames => {
  const enabled = useCan()('store.read');
  const inUse = useProducts(false, { enabled }).rows;
  const archived = useProducts(true, { enabled }).rows;
  return useMemo(() => {
    const names = new Map([...archived, ...inUse].map(({ id, name }) => [id, name]));
    const ids = inUse.toSorted((a, b) => a.name.localeCompare(b.name)).map(({ id }) => id);
    return { ids, nameOf: (id) => names.get(id) ?? id };
  }, [inUse, archived]);
};
