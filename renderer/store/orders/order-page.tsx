import { Alert, Button, Checkbox, Group, List, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconReceiptRefund } from '@tabler/icons-react';
import { useState } from 'react';
import { membersHttp } from '#contracts/people/members.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { type OrderDetails, ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { FoundPage } from '../../kit/design/found-page.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberLink } from '../member-link.tsx';
import { OrderLabel } from '../order-label.tsx';
import { storePartsWords } from '../store-parts.words.ts';
import { useLiveDeliveries } from '../use-live-deliveries.ts';
import { usePoints } from '../use-points.ts';
import { OrderDeliveries } from './order-deliveries.tsx';
import { ordersWords } from './orders.words.ts';
import { refundOf } from './refund.ts';

/** Shows how many points go back, and to whom, before the refund. */
const RefundDialog = ({ order, onClose }: { readonly order: OrderDetails; readonly onClose: () => void }) => {
  const words = useWords(ordersWords);
  const parts = useWords(storePartsWords);
  const { points } = usePoints();
  const refund = useChange(ordersHttp.refund, [
    ordersHttp.read,
    ordersHttp.list,
    deliveriesHttp.list,
    deliveriesHttp.read,
    membersHttp.read,
    membersHttp.ledger,
    storeHttp.products,
  ]);
  const isLeft = (lineId: string) =>
    order.deliveries.some(({ orderLineId, refundedAt }) => orderLineId === lineId && refundedAt === null);
  const open = order.lines.filter(({ id }) => isLeft(id));
  const [chosen, setChosen] = useState<readonly string[]>(open.map(({ id }) => id));
  const { points: back, hasWaiting, hasArrived } = refundOf(order, chosen);
  const name = order.memberName || parts.memberNumber(order.memberId);
  const send = () =>
    refund.mutate(
      { params: { id: order.id }, body: { lineIds: [...chosen] } },
      {
        onSuccess(now) {
          const done = now.refunded - order.refunded;
          notifyDone(done > 0 ? words.refundDone(points(done)) : words.refundDoneFree);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={words.refundTitle}
      act={back > 0 ? words.refundAct(points(back)) : words.refundActFree}
      isActing={refund.isPending}
      isReady={chosen.length > 0}
      isDestructive
      error={refund.error}
      onSubmit={send}
      onClose={onClose}
      beginsAtLeave
      staysWhileActing
    >
      {open.length > 1 && (
        <Checkbox.Group label={words.refundWhat} value={[...chosen]} onChange={setChosen}>
          <Stack gap="xs" mt="xs">
            {open.map(({ id, name: product, quantity, paid, refunded }) => (
              <Checkbox
                key={id}
                value={id}
                label={
                  <>
                    {quantity} × <bdi>{product}</bdi> · {points(paid - refunded)}
                  </>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Text fw={600} role="status">
        <bdi>{back > 0 ? words.refundGoes(points(back), name) : words.refundNothing(name)}</bdi>
      </Text>
      <List>
        {hasWaiting && <List.Item>{words.refundWaiting}</List.Item>}
        {hasArrived && <List.Item>{words.refundArrived}</List.Item>}
      </List>
    </FormDialog>
  );
};

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
