import { Box, Text } from '@mantine/core';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useRoute } from 'wouter';
import * as z from 'zod';
import { memberId, membersHttp } from '#contracts/people/members.ts';
import { recordId } from '#contracts/servers/clusters.ts';
import { type Delivery, deliveriesHttp, deliveryStates } from '#contracts/store/deliveries.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { usePagedRead, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PagedList } from '../../kit/lists/data-list.tsx';
import { NothingMatches } from '../../kit/lists/filter-box.tsx';
import type { BulkAction, ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { MemberPicker } from '../member-picker.tsx';
import { DeliveryLabel, deliveryText } from '../store-parts/delivery-label.tsx';
import { useDeliveryColumns } from '../store-parts/use-delivery-columns.tsx';
import { useProductNames } from '../store-parts/use-product-names.ts';
import { storePartsWords } from '../store-parts.words.ts';
import { useLiveDeliveries } from '../use-live-deliveries.ts';
import { usePoints } from '../use-points.ts';
import { deliveriesWords } from './deliveries.words.ts';
import { DeliveryPage } from './delivery-page.tsx';
import { mayChange } from './may-change.ts';

/** Empty until it is read, or if the reader may not see it. */
const useMemberName = (id: string | undefined): string => {
  const enabled = useCan()('members.read') && id !== undefined;
  return useRead(membersHttp.read, { params: { id: id ?? '' } }, { enabled }).data?.name ?? '';
};

const rowId = ({ id }: Delivery) => id;
const addressOf = ({ id }: Delivery) => `/deliveries/${id}`;
const knownState = z.enum(deliveryStates).optional().catch(undefined);

const DeliveriesList = () => {
  const words = useWords(deliveriesWords);
  const can = useCan();
  const { values, set } = useSearchState();
  const { servers, nameOf } = useServerNames();
  const products = useProductNames();
  const acts = useBulkActs();
  const columns = useColumns(nameOf);
  const everyMs = useLiveDeliveries();

  const state = knownState.parse(values.state);
  const serverId = recordId.safeParse(values.server).data;
  const productId = recordId.safeParse(values.product).data;
  const member = memberId.safeParse(values.member).data;
  const memberName = useMemberName(member);
  const paged = usePagedRead(
    deliveriesHttp.list,
    {
      query: {
        ...(state && { state }),
        ...(serverId !== undefined && { serverId }),
        ...(productId !== undefined && { productId }),
        ...(member !== undefined && { memberId: member }),
      },
    },
    { everyMs },
  );

  // An archived or unknown server is a filter too: the list never shows more than its address asks for.
  const withChosen = (ids: readonly string[], chosen: string | undefined) =>
    chosen === undefined || ids.includes(chosen) ? ids : [...ids, chosen];
  const filters = [
    {
      id: 'state',
      label: words.state,
      options: deliveryStates.map((value) => ({ value, label: words.states[value] })),
    },
    {
      id: 'server',
      label: words.server,
      options: withChosen(
        servers.map(({ id }) => id),
        serverId,
      ).map((id) => ({ value: id, label: nameOf(id) })),
    },
    {
      id: 'product',
      label: words.product,
      options: withChosen(products.ids, productId).map((id) => ({ value: id, label: products.nameOf(id) })),
    },
  ];
  const empty =
    member === undefined ? (
      <EmptyState
        title={words.empty}
        text={words.emptyText}
        action={can('store.read') && <PanelLink to="/store">{words.toStore}</PanelLink>}
      />
    ) : (
      <NothingMatches onClear={() => set({ member: '' })} />
    );
  return (
    <Frame title={words.title} description={<Text size="sm">{words.description}</Text>}>
      {can('members.read') && (
        <Box maw="24rem">
          <MemberPicker
            label={words.member}
            value={member === undefined ? null : { id: member, name: memberName }}
            onChange={(chosen) => set({ member: chosen?.id ?? '' })}
            isOptional
          />
        </Box>
      )}
      <PagedList
        paged={paged}
        name="deliveries"
        label={words.title}
        rowId={rowId}
        columns={columns}
        filters={filters}
        rowTo={addressOf}
        {...(can('orders.write') && { bulk: acts })}
        empty={empty}
      />
    </Frame>
  );
};

const useBulkActs = (): readonly BulkAction<Delivery>[] => {
  const words = useWords(deliveriesWords);
  const { points } = usePoints();
  return useMemo(() => {
    const nameOf = ({ productName, memberName }: Delivery) => words.nameOf(productName, memberName);
    return [
      {
        label: words.retry,
        icon: <IconRefresh size={16} aria-hidden />,
        isFor: mayChange,
        question: (rows) => words.retryText(rows.length),
        run: ({ id }) => sendChange(deliveriesHttp.retry, { params: { id }, body: {} }),
        nameOf,
      },
      {
        label: words.cancel,
        icon: <IconBan size={16} aria-hidden />,
        isDestructive: true,
        isFor: mayChange,
        question: (rows) =>
          words.cancelMany(rows.length, points(rows.reduce((sum, row) => sum + row.points, 0))),
        run: ({ id }) => sendChange(deliveriesHttp.cancel, { params: { id }, body: {} }),
        nameOf,
      },
    ];
  }, [words, points]);
};

const useColumns = (nameOf: (serverId: string) => string): readonly ListColumn<Delivery>[] => {
  const words = useWords(deliveriesWords);
  const parts = useWords(storePartsWords);
  const { product, member, server } = useDeliveryColumns(nameOf);
  return useMemo(
    () => [
      product,
      {
        id: 'state',
        header: words.state,
        cell: (delivery) => <DeliveryLabel delivery={delivery} />,
        text: (delivery) => deliveryText(delivery, parts),
        width: 'minmax(16rem, 2fr)',
      },
      member,
      server,
      timeColumn({ id: 'created', header: words.created, at: ({ createdAt }) => createdAt, width: '8.5rem' }),
    ],
    [words, parts, product, member, server],
  );
};

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/deliveries/:id');
  return isOne ? <DeliveryPage key={params.id} id={params.id} /> : <DeliveriesList />;
};
