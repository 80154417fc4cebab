import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { OrderPreview, OrderRefusalWhy } from '#contracts/store/orders.ts';
import { Facts } from '../../kit/design/facts.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { storePartsWords } from '../store-parts.words.ts';
import { usePoints } from '../use-points.ts';
import { CodeText } from './code-text.tsx';
import { PriceText } from './price-text.tsx';

/** What an order would cost, why it would be refused, and which commands it would send. */
export const OrderPreviewView = (props: {
  readonly preview: OrderPreview;
  /** Returns a product's name. */
  readonly nameOf: (productId: string) => string;
  /** A test order: the wallet does not matter. */
  readonly isFree?: boolean;
  /** A code was typed. */
  readonly hasCode?: boolean;
}) => {
  const { preview, nameOf, isFree = false, hasCode = false } = props;
  const words = useWords(storePartsWords);
  const { points, price } = usePoints();
  const { total, balance, lines, discount, refusals, deliveries } = preview;
  const special = lines.filter((line) => line.unitPrice !== line.basePrice);
  return (
    <>
      {refusals.length > 0 && (
        <Alert
          color="var(--tone-warn)"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={words.refused}
        >
          <List>
            {refusals.map(({ productId, code, why }) => (
              <List.Item key={`${productId} ${code}`}>
                {productId !== null && (
                  <>
                    <bdi>{nameOf(productId)}</bdi>:{' '}
                  </>
                )}
                <RefusalText why={why} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {!isFree && (
        <Facts
          facts={[
            ...special.map(({ productId, basePrice, price: today, priceUntil, unitPrice }) => ({
              label: nameOf(productId),
              value: (
                <PriceText
                  basePrice={basePrice}
                  price={unitPrice}
                  until={unitPrice === today ? priceUntil : null}
                />
              ),
            })),
            ...(discount
              ? [{ label: words.discount, value: words.saved(discount.name, points(discount.saved)) }]
              : []),
            { label: words.total, value: price(total) },
            { label: words.balance, value: points(balance) },
            ...(total > 0 && total <= balance ? [{ label: words.left, value: points(balance - total) }] : []),
          ]}
        />
      )}
      {hasCode && discount && !discount.isByCode && refusals.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.codeUnused}
        </Text>
      )}
      <Text fw={600}>{words.wouldSend}</Text>
      {deliveries.length === 0 && <Text c="dimmed">{words.nothingToSend}</Text>}
      <List listStyleType="none" spacing="xs">
        {deliveries.map(({ productId, position, command, detail, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line split into several deliveries appears several times
          <List.Item key={`${productId} ${position} ${index}`}>
            <Text size="sm">
              <bdi>{nameOf(productId)}</bdi>
            </Text>
            {command !== null && <CodeText text={command} />}
            {(detail !== null || command === null) && (
              <Text size="sm" c="dimmed">
                {detail === null ? words.noCommandYet : <Said reason={reason} detail={detail} />}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </>
  );
};

const RefusalText = ({ why }: { readonly why: OrderRefusalWhy }) => {
  const { refusals: words } = useWords(storePartsWords);
  const { points } = usePoints();
  switch (why.kind) {
    case 'points':
      return words.points(points(why.total - why.balance));
    case 'price':
      return words.price(points(why.total));
    case 'stock':
      return words.stock(why.left);
    case 'per-member':
      return words.perMember(why.most, why.has);
    case 'per-period':
      return (
        <>
          {words.perPeriod(why.most, why.days, why.has)}{' '}
          {why.until !== null && (
            <>
              {words.again} <TimeAgo at={why.until} />.
            </>
          )}
        </>
      );
    case 'cooldown':
      return (
        <>
          {words.cooldown} {words.again} <TimeAgo at={why.until} />.
        </>
      );
    case 'code':
      return words.code[why.fault];
    case 'size':
      return words.size(why.count, why.most);
    case 'said':
      return <Said reason={why.reason} detail={why.detail} />;
  }
};
