import { Text } from '@mantine/core';
import type { Product } from '#contracts/store.ts';
import { StateLabel } from '../../design/state-label.tsx';
import { useWords } from '../../language/use-words.ts';
import { Said } from '../../store-parts/said.tsx';
import { serverNowMs } from '../../wire/server-clock.ts';
import { saleStateOf, saleTones } from './sale-state.ts';
import { storeWords } from './store.words.ts';

export interface SaleLabelProps {
  readonly product: Product;
  /** Adds the API's reason if the panel has no label for it. */
  readonly isFull?: boolean;
}

/** Whether a product can be bought now, or why not. */
export const SaleLabel = ({ product, isFull = false }: SaleLabelProps) => {
  const words = useWords(storeWords);
  const state = saleStateOf(product, serverNowMs());
  return (
    <StateLabel tone={saleTones[state]}>
      {words.sale[state]}
      {isFull && state === 'other' && (
        <Text span c="dimmed">
          {' '}
          · <Said reason={product.notForSaleWhy} detail={product.notForSale} />
        </Text>
      )}
    </StateLabel>
  );
};
