import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Member } from '#contracts/people/members.ts';
import { gameDetails } from '#contracts/servers/game-details.ts';
import type { Delivery } from '#contracts/store/deliveries.ts';
import { type OrderDetails, ordersHttp } from '#contracts/store/orders.ts';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberPicker } from '../member-picker.tsx';
import { DeliveryLabel } from '../store-parts/delivery-label.tsx';
import { LineText } from '../store-parts/line-text.tsx';
import { OrderPreviewView } from '../store-parts/order-preview-view.tsx';
import { type OrderWish, useOrderPreview, usePlaceOrder } from '../store-parts/use-place-order.ts';
import { useLiveDeliveries } from '../use-live-deliveries.ts';
import { storeWords } from './store.words.ts';

/** Orders a product for free, to see it arrive before anyone pays for it. */
export const TestOrder = ({
  product,
  onClose,
}: {
  readonly product: Product;
  readonly onClose: () => void;
}) => {
  const words = useWords(storeWords).test;
  const general = useWords(designWords);
  const [member, setMember] = useState<Member | null>(null);
  const [placed, setPlaced] = useState<OrderDetails | null>(null);
  const placing = usePlaceOrder();
  const wish: OrderWish | null = member && {
    memberId: member.id,
    lines: [{ productId: product.id, quantity: 1 }],
    isTest: true,
  };
  const preview = useOrderPreview(placed ? null : wish);
  const isReady = preview.data !== undefined && preview.data.refusals.length === 0;
  return (
    <FormDialog
      title={words.title(product.name)}
      size="lg"
      act={placed ? null : words.place}
      leave={placed ? general.close : general.cancel}
      isActing={placing.isPlacing}
      isReady={wish !== null && isReady}
      error={placing.error}
      onSubmit={() => {
        if (wish) void placing.place(wish).then((order) => order && setPlaced(order));
      }}
      onClose={onClose}
    >
      {placed ? (
        <Arrival placed={placed} />
      ) : (
        <>
          <Text>{words.text}</Text>
          <MemberPicker
            label={words.member}
            value={member}
            onChange={setMember}
            game={product.game}
            isFirst
          />
          {wish && preview.error && <Trouble error={preview.error} onRetry={() => preview.refetch()} />}
          {wish && preview.isPending && !preview.error && <Loading rows={2} />}
          {wish && preview.data && (
            <OrderPreviewView preview={preview.data} nameOf={() => product.name} isFree />
          )}
        </>
      )}
    </FormDialog>
  );
};

const DeliveryDetail = ({ delivery: { reason, detail } }: { readonly delivery: Delivery }) => {
  const said = <Said reason={reason} detail={detail ?? ''} />;
  if (reason?.code === 'reply-empty') return <Alert color="yellow">{said}</Alert>;
  return (
    <Text size="sm" c="dimmed">
      {said}
    </Text>
  );
};

const Arrival = ({ placed }: { readonly placed: OrderDetails }) => {
  const words = useWords(storeWords).test;
  const can = useCan();
  const everyMs = useLiveDeliveries();
  const read = useRead(
    ordersHttp.read,
    { params: { id: placed.id } },
    { enabled: can('orders.read'), everyMs },
  );
  const order = read.data ?? placed;
  const hasArrived = order.deliveries.every(({ state }) => state === 'delivered');
  return (
    <Stack gap="sm">
      <Text>{words.placed}</Text>
      <Stack gap="xs" role="status">
        {order.deliveries.map((delivery) => (
          <div key={delivery.id}>
            <Group justify="space-between" gap="xs">
              <LineText line={delivery.line} />
              <DeliveryLabel delivery={delivery} />
            </Group>
            {delivery.detail !== null && <DeliveryDetail delivery={delivery} />}
          </div>
        ))}
        {hasArrived && <Text fw={600}>{words.done}</Text>}
      </Stack>
      {order.deliveries.filter(needsEyes).map((delivery) => (
        <SeenInGame key={delivery.id} delivery={delivery} />
      ))}
      {can('orders.read') && <PanelLink to={`/orders/${order.id}`}>{words.toOrder}</PanelLink>}
    </Stack>
  );
};

/** The game's replies do not prove that the item arrived, so a person must check. */
const needsEyes = ({ game, line, state }: Delivery): boolean =>
  !gameDetails[game].provesGifts && line.kind === 'item' && state === 'delivered';

const SeenInGame = ({ delivery }: { readonly delivery: Delivery }) => {
  const words = useWords(storeWords).test;
  const confirm = useChange(storeHttp.confirmItem, [storeHttp.read, storeHttp.products, storeHttp.items]);
  const say = (isSeen: boolean) =>
    confirm.mutate(
      { body: { deliveryId: delivery.id, isSeen } },
      { onSuccess: ({ item }) => notifyDone((isSeen ? words.confirmed : words.denied)(item)) },
    );
  if (confirm.data)
    return (
      <Text role="status">
        {(confirm.data.isConfirmed ? words.confirmed : words.denied)(confirm.data.item)}
      </Text>
    );
  return (
    <Alert color="var(--tone-busy)" variant="outline">
      <Stack gap="xs">
        <div>
          <LineText line={delivery.line} />
        </div>
        <Text>{words.seenText}</Text>
        {confirm.error && <Trouble error={confirm.error} />}
        <Group gap="xs">
          <Button size="xs" loading={confirm.isPending} onClick={() => say(true)}>
            {words.seen}
          </Button>
          <Button size="xs" variant="default" disabled={confirm.isPending} onClick={() => say(false)}>
            {words.notSeen}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};
