import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { recordId } from '#contracts/servers/clusters.ts';
import {
  type Shop,
  type ShopOrder,
  type ShopOrderState,
  shopOrderStates,
  shopsHttp,
} from '#contracts/storefronts/shops.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, usePagedRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PagedList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { linesText } from './lines-text.ts';
import { ShopOrderItem } from './shop-order-item.tsx';
import { shopOrdersWords } from './shop-orders.words.ts';

const rowId = ({ id }: ShopOrder) => id;

const tones = {
  open: 'busy',
  waiting: 'busy',
  person: 'warn',
  given: 'ok',
  'taken-back': 'idle',
  'not-given': 'idle',
  'set-aside': 'idle',
} as const satisfies Record<ShopOrderState, Tone>;

/** Everything that the shops reported, the newest first. */
export const ShopOrdersList = ({
  shops,
  mayDecide,
}: {
  readonly shops: readonly Shop[];
  readonly mayDecide: boolean;
}) => {
  const words = useWords(shopOrdersWords);
  const { values } = useSearchState();
  const [openedId, setOpenedId] = useState<string | null>(null);
  const maySeeOrders = useCan()('orders.read');
  const state = shopOrderStates.find((one) => one === values.state);
  const shopId = recordId.safeParse(values.shop).data;
  const query = { ...(state !== undefined && { state }), ...(shopId !== undefined && { shopId }) };
  const orders = usePagedRead(shopsHttp.orders, { query }, { everyMs: pollMs.usual });
  const columns = useShopOrderColumns();
  const opened = orders.rows.find(({ id }) => id === openedId);
  return (
    <Card title={words.all}>
      <PagedList
        paged={orders}
        name="shop-orders"
        label={words.all}
        rowId={rowId}
        columns={columns}
        filters={[
          {
            id: 'state',
            label: words.filterState,
            options: shopOrderStates.map((value) => ({ value, label: words.states[value] })),
          },
          {
            id: 'shop',
            label: words.filterShop,
            options: shops.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
        onOpen={({ id }) => setOpenedId(id)}
        empty={<EmptyState title={words.none} text={words.noneText} />}
      />
      {opened && (
        <FormDialog
          title={words.states[opened.state]}
          act={null}
          isActing={false}
          leave={words.close}
          onSubmit={() => undefined}
          onClose={() => setOpenedId(null)}
        >
          <ShopOrderItem order={opened} mayDecide={mayDecide} />
          {opened.orderId !== null && maySeeOrders && (
            <PanelLink to={`/orders/${opened.orderId}`}>{words.toOrder}</PanelLink>
          )}
        </FormDialog>
      )}
    </Card>
  );
};

const useShopOrderColumns = (): readonly ListColumn<ShopOrder>[] => {
  const words = useWords(shopOrdersWords);
  return useMemo((): readonly ListColumn<ShopOrder>[] => {
    const who = ({ memberName, receiver }: ShopOrder) => memberName || receiver || words.noReceiver;
    const stateOf = ({ state, deliveredAt }: Pick<ShopOrder, 'state' | 'deliveredAt'>) =>
      state === 'given' && deliveredAt !== null ? words.times.delivered : words.states[state];
    return [
      {
        id: 'what',
        header: words.what,
        cell: (order) => <bdi>{linesText(order)}</bdi>,
        text: linesText,
        width: 'minmax(8rem, 1.5fr)',
      },
      {
        id: 'state',
        header: words.state,
        cell: ({ state, reason, left, deliveredAt }) => (
          <>
            <StateLabel tone={tones[state]}>{stateOf({ state, deliveredAt })}</StateLabel>
            {reason !== null && state !== 'person' && state !== 'set-aside' && (
              <Text size="xs" c="dimmed" truncate title={words.reasons[reason]}>
                {words.reasons[reason]}
              </Text>
            )}
            {left.length > 0 && (
              <Text size="xs" c="dimmed">
                {words.someLeft}
              </Text>
            )}
          </>
        ),
        text: stateOf,
        width: 'minmax(12rem, 1.5fr)',
      },
      {
        id: 'receiver',
        header: words.receiver,
        cell: (order) => <bdi>{who(order)}</bdi>,
        text: who,
        width: 'minmax(6rem, 1fr)',
      },
      {
        id: 'number',
        header: words.number,
        cell: ({ externalId, shopName }) => (
          <bdi>
            {externalId} · {shopName}
          </bdi>
        ),
        text: ({ externalId }) => externalId,
        width: 'minmax(9rem, 1.2fr)',
        isMinor: true,
      },
      timeColumn({
        id: 'when',
        header: words.when,
        at: ({ createdAt }) => createdAt,
        width: '9rem',
        isMinor: true,
      }),
    ];
  }, [words]);
};
