import { List } from '@mantine/core';
import { games } from '#contracts/games.ts';
import type { Product } from '#contracts/store.ts';
import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { LineText } from '../../store-parts/line-text.tsx';
import { usePoints } from '../../store-parts/use-points.ts';
import { storeWords } from './store.words.ts';

/** A product for readers who may not change it. */
export const ProductFacts = ({ product }: { readonly product: Product }) => {
  const words = useWords(storeWords);
  const format = useFormat();
  const { price } = usePoints();
  return (
    <Card title={words.about}>
      <Facts
        facts={[
          { label: words.game, value: games[product.game].name },
          { label: words.price, value: price(product.price) },
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
                    <LineText line={line} />
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
