import { useMemo } from 'react';
import { useCan } from '../../kit/access/access-state.ts';
import { useProducts } from '../use-products.ts';

interface ProductNames {
  /** Products in use, by name. */
  readonly ids: readonly string[];
  /** Also for archived products; the id itself for one the reader may not see. */
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
