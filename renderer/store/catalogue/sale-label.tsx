import { Text } from '@mantine/core';
import type { Product } from '#contracts/store/store.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { saleStateOf, saleTones } from './sale-state.ts';
import { storeWords } from './store.words.ts';

/** Whether a product can be bought now, or why not. */
export const SaleLabel = ({
  product,
  isFull = false,
}: {
  readonly product: Product;
  /** Adds the API's reason if the panel has no label for it. */
  readonly isFull?: boolean;
}) => {
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
