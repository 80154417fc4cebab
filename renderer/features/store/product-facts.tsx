import { List } from '@mantine/core';
import { games } from '#contracts/games.ts';
import type { Product } from '#contracts/store.ts';
import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { LineText } from '../../store-parts/line-text.tsx';
import { PriceText } from '../../store-parts/price-text.tsx';
import { useProductNames } from '../../store-parts/use-product-names.ts';
import { storeWords } from './store.words.ts';

/** A product for readers who may not change it. */
export const ProductFacts = ({ product }: { readonly product: Product }) => {
  const words = useWords(storeWords);
  const format = useFormat();
  const { nameOf } = useProductNames();
  return (
    <Card title={words.about}>
      <Facts
        facts={[
          { label: words.game, value: games[product.game].name },
          {
            label: words.price,
            value: (
              <PriceText basePrice={product.price} price={product.currentPrice} until={product.priceUntil} />
            ),
          },
          { label: words.category, value: <bdi>{product.category || '–'}</bdi> },
          { label: words.descriptionField, value: <bdi>{product.description || '–'}</bdi> },
          {
            label: words.stock,
            value: product.stock === null ? words.unlimited : format.number(product.stock),
          },
          {
            label: words.wipe,
            value: product.onWipe === 'nothing' ? words.wipeNothing : words.wipeRegrants(product.regrantMost),
          },
          {
            label: words.gives,
            value: (
              <List listStyleType="none">
                {product.lines.map((line, position) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
                  <List.Item key={position}>
                    {line.kind === 'product' ? (
                      <span>
                        {line.quantity} × <bdi>{nameOf(line.productId)}</bdi>
                      </span>
                    ) : (
                      <LineText line={line} />
                    )}
                  </List.Item>
                ))}
              </List>
            ),
          },
        ]}
      />
    </Card>
  );
};
