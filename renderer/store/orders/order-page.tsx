import { Alert, Button, Group, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconReceiptRefund } from '@tabler/icons-react';
import { useState } from 'react';
import { type OrderDetails, ordersHttp } from '#contracts/store/orders.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { FoundPage } from '../../kit/design/found-page.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberLink } from '../member-link.tsx';
import { OrderLabel } from '../order-label.tsx';
import { useLiveDeliveries } from '../use-live-deliveries.ts';
import { usePoints } from '../use-points.ts';

import { OrderDeliveries } from './order-deliveries.tsx';
import { ordersWords } from './orders.words.ts';
import { RefundDialog } from './refund-dialog.tsx';

export const OrderPage = ({ id }: { readonly id: string }) => {
  const words = useWords(ordersWords);
  const everyMs = useLiveDeliveries();
  return (
    <FoundPage
      endpoint={ordersHttp.read}
      id={id}
      everyMs={everyMs}
      words={words}
      back={{ to: '/orders', label: words.all }}
    >
      {(order) => <OrderView order={order} />}
    </FoundPage>
  );
};

const OrderView = ({ order }: { readonly order: OrderDetails }) => {
  const words = useWords(ordersWords);
  const can = useCan();
  const { price, points } = usePoints();
  const [isRefunding, setIsRefunding] = useState(false);
  const isGift = order.receiverId !== order.memberId;
  const canRefund = can('orders.write') && order.deliveries.some(({ refundedAt }) => refundedAt === null);
  const title = order.lines
    .map(({ quantity, name }) => (quantity === 1 ? name : `${quantity} × ${name}`))
    .join(', ');
  const source = words.sources[order.source];
  return (
    <Frame
      title={title}
      description={
        <Group gap="xs">
          <PanelLink to="/orders">{words.all}</PanelLink>
          <OrderLabel progress={order.progress} />
        </Group>
      }
      actions={
        canRefund && (
          <Button
            variant="default"
            leftSection={<IconReceiptRefund size={16} aria-hidden />}
            onClick={() => setIsRefunding(true)}
          >
            {words.refund}
          </Button>
        )
      }
    >
      {order.progress === 'attention' && (
        <Alert
          color="var(--tone-warn)"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={words.needsDecision}
        >
          <PanelLink to="/desk">{words.toDesk}</PanelLink>
        </Alert>
      )}
      <Card title={words.facts}>
        <Facts
          facts={[
            { label: words.buyer, value: <MemberLink id={order.memberId} name={order.memberName} /> },
            ...(isGift
              ? [
                  {
                    label: words.receiver,
                    value: <MemberLink id={order.receiverId} name={order.receiverName} />,
                  },
                ]
              : []),
            { label: words.total, value: price(order.total) },
            ...(order.discountName === null
              ? []
              : [{ label: words.discount, value: <bdi>{order.discountName}</bdi> }]),
            ...(order.refunded > 0 ? [{ label: words.refunded, value: points(order.refunded) }] : []),
            {
              label: words.source,
              value: <bdi>{order.actorName ? words.by(order.actorName, source) : source}</bdi>,
            },
            { label: words.when, value: <TimeAgo at={order.createdAt} /> },
          ]}
        />
      </Card>
      <LinesCard order={order} />
      <OrderDeliveries deliveries={order.deliveries} />
      {isRefunding && <RefundDialog order={order} onClose={() => setIsRefunding(false)} />}
    </Frame>
  );
};

const LinesCard = ({ order }: { readonly order: OrderDetails }) => {
  const words = useWords(ordersWords);
  const format = useFormat();
  const can = useCan();
  const { price, points } = usePoints();
  return (
    <Card title={words.lines}>
      <Table.ScrollContainer minWidth={360} scrollAreaProps={{ tabIndex: 0 }}>
        <Table aria-label={words.lines}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.product}</Table.Th>
              <Table.Th ta="end">{words.quantity}</Table.Th>
              <Table.Th ta="end">{words.paid}</Table.Th>
              <Table.Th ta="end">{words.refunded}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {order.lines.map(({ id, name, productId, quantity, paid, refunded, oversold }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  {can('store.read') ? (
                    <PanelLink to={`/store/${productId}`}>
                      <bdi>{name}</bdi>
                    </PanelLink>
                  ) : (
                    <bdi>{name}</bdi>
                  )}
                </Table.Td>
                <Table.Td ta="end">
                  {format.number(quantity)}
                  {oversold > 0 && (
                    <Text size="xs" c="dimmed">
                      {words.oversold(format.number(oversold))}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
                  {price(paid)}
                </Table.Td>
                <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
                  {refunded === 0 ? '–' : points(refunded)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
};
