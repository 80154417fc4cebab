import { Text, VisuallyHidden } from '@mantine/core';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { storePartsWords } from '../store-parts.words.ts';
import { usePoints } from '../use-points.ts';

/** The current price; if it is not the usual one, with that struck through, and its end. */
export const PriceText = (props: {
  readonly basePrice: number;
  readonly price: number;
  /** When the price changes; null: never. */
  readonly until: string | null;
}) => {
  const { basePrice, price, until } = props;
  const words = useWords(storePartsWords);
  const { price: shown } = usePoints();
  if (price === basePrice) return <span>{shown(price)}</span>;
  return (
    <span>
      {shown(price)}{' '}
      <Text span size="sm" c="dimmed" td="line-through" aria-hidden>
        {shown(basePrice)}
      </Text>
      <VisuallyHidden>{words.usualPrice(shown(basePrice))}</VisuallyHidden>
      {until !== null && (
        <Text span size="sm" c="dimmed">
          {' '}
          {words.until} <TimeAgo at={until} />
        </Text>
      )}
    </span>
  );
};
