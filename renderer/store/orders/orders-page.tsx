import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useRoute } from 'wouter';
import { memberId, membersHttp } from '#contracts/people/members.ts';
import { recordId } from '#contracts/servers/clusters.ts';
import { type Order, ordersHttp } from '#contracts/store/orders.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { usePagedRead, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PagedList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { MemberPicker } from '../member-picker.tsx';
import { OrderLabel } from '../order-label.tsx';
import { storePartsWords } from '../store-parts.words.ts';
import { useLiveDeliveries } from '../use-live-deliveries.ts';
import { usePoints } from '../use-points.ts';
import { useProducts } from '../use-products.ts';
import { NewOrder } from './new-order.tsx';
import { OrderPage } from './order-page.tsx';
import { ordersWords } from './orders.words.ts';

const rowId = ({ id }: Order) => id;

const OrdersList = () => {
  const words = useWords(ordersWords);
  const can = useCan();
  const { values, set } = useSearchState();
  const ofMember = memberId.safeParse(values.member).data;
  const productId = recordId.safeParse(values.product).data;
  const everyMs = useLiveDeliveries();
  const query = {
    ...(ofMember !== undefined && { memberId: ofMember }),
    ...(productId !== undefined && { productId }),
  };
  const orders = usePagedRead(ordersHttp.list, { query }, { everyMs });
  const member = useRead(
    membersHttp.read,
    { params: { id: ofMember ?? '' } },
    { enabled: ofMember !== undefined && can('members.read') },
  );
  const products = useProducts(false, { enabled: can('store.read') });
  const columns = useOrderColumns();
  const mayOrder = can('orders.write') && can('members.read') && can('store.read');
  const isOrdering = values.new === 'true' && mayOrder;
  const create = mayOrder && <AddButton onClick={() => set({ new: 'true' })}>{words.create}</AddButton>;
  const isNarrowed = ofMember !== undefined || productId !== undefined;
  const chosen = ofMember === undefined ? null : (member.data ?? { id: ofMember, name: '' });
  const productOptions = products.rows.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Frame title={words.title} description={words.description} actions={create}>
      {can('members.read') && (
        <MemberPicker
          label={words.filterMember}
          value={chosen}
          onChange={(picked) => set({ member: picked?.id ?? '' })}
          isOptional
        />
      )}
      <PagedList
        paged={orders}
        name="orders"
        label={words.title}
        rowId={rowId}
        columns={columns}
        filters={[{ id: 'product', label: words.filterProduct, options: productOptions }]}
        rowTo={({ id }) => `/orders/${id}`}
        empty={
          isNarrowed ? (
            <EmptyState
              title={words.emptyHere}
              text={words.emptyHereText}
              action={
                <Button variant="default" onClick={() => set({ member: '', product: '' })}>
                  {words.clear}
                </Button>
              }
            />
          ) : (
            <EmptyState title={words.empty} text={words.emptyText} action={create} />
          )
        }
      />
      {isOrdering && (ofMember === undefined || member.data || member.error) && (
        <NewOrder payer={member.data ?? null} onClose={() => set({ new: '' })} />
      )}
    </Frame>
  );
};

const useOrderColumns = (): readonly ListColumn<Order>[] => {
  const words = useWords(ordersWords);
  const parts = useWords(storePartsWords);
  const { price } = usePoints();
  return useMemo((): readonly ListColumn<Order>[] => {
    const what = ({ lines }: Order) =>
      lines.map(({ quantity, name }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ');
    const who = ({ memberId: payer, memberName, receiverId, receiverName }: Order) => {
      const name = memberName || parts.memberNumber(payer);
      return receiverId === payer
        ? name
        : words.giftFrom(name, receiverName || parts.memberNumber(receiverId));
    };
    return [
      {
        id: 'what',
        header: words.what,
        cell: (order) => <bdi>{what(order)}</bdi>,
        text: what,
        width: 'minmax(9rem, 2fr)',
      },
      {
        id: 'state',
        header: words.state,
        cell: (order) => <OrderLabel progress={order.progress} />,
        text: ({ progress }) => parts.progress[progress],
        width: 'minmax(13rem, 1fr)',
      },
      {
        id: 'member',
        header: words.buyer,
        cell: (order) => <bdi>{who(order)}</bdi>,
        text: who,
        width: 'minmax(7rem, 1fr)',
      },
      {
        id: 'total',
        header: words.total,
        cell: ({ total }) => price(total),
        text: ({ total }) => String(total),
        width: '8rem',
        align: 'end',
      },
      timeColumn({
        id: 'when',
        header: words.when,
        at: ({ createdAt }) => createdAt,
        width: '9rem',
        isMinor: true,
      }),
    ];
  }, [words, parts, price]);
};

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/orders/:id');
  return isOne ? <OrderPage key={params.id} id={params.id} /> : <OrdersList />;
};
