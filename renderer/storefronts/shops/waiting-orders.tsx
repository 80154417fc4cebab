import { Stack, Text } from '@mantine/core';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import { pollMs, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ShopOrderItem, type ShopOrderItemProps } from './shop-order-item.tsx';
import { shopOrdersWords } from './shop-orders.words.ts';

/** Orders that a person has to decide, each with its reason and what helps. */
export const WaitingOrders = ({ mayDecide, onAssign }: Omit<ShopOrderItemProps, 'order'>) => {
  const words = useWords(shopOrdersWords);
  const read = useRead(shopsHttp.orders, { query: { state: 'person' } }, { everyMs: pollMs.often });
  return (
    <Card title={words.waiting}>
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{words.nothingWaits}</Text>
          ) : (
            <Stack gap="md">
              {rows.map((order) => (
                <ShopOrderItem key={order.id} order={order} mayDecide={mayDecide} onAssign={onAssign} />
              ))}
            </Stack>
          )
        }
      </AsyncContent>
    </Card>
  );
};
