import { useMemo } from 'react';
import type { Delivery } from '#contracts/deliveries.ts';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import type { ListColumn } from '../../lists/list-props.ts';
import { DeliveryLabel, deliveryText } from '../../store-parts/delivery-label.tsx';
import { MemberLink } from '../../store-parts/member-link.tsx';
import { storePartsWords } from '../../store-parts/store-parts.words.ts';
import { deliveriesWords } from './deliveries.words.ts';

export const useDeliveryColumns = (nameOf: (serverId: string) => string): readonly ListColumn<Delivery>[] => {
  const words = useWords(deliveriesWords);
  const parts = useWords(storePartsWords);
  return useMemo(
    () => [
      {
        id: 'product',
        header: words.product,
        cell: ({ productName }) => <bdi>{productName}</bdi>,
        text: ({ productName }) => productName,
        width: 'minmax(8rem, 1fr)',
      },
      {
        id: 'state',
        header: words.state,
        cell: (delivery) => <DeliveryLabel delivery={delivery} />,
        text: (delivery) => deliveryText(delivery, parts),
        width: 'minmax(16rem, 2fr)',
      },
      {
        id: 'member',
        header: words.member,
        cell: ({ memberId, memberName }) => <MemberLink id={memberId} name={memberName} />,
        text: ({ memberId, memberName }) => memberName || parts.memberNumber(memberId),
        width: 'minmax(7rem, 1fr)',
      },
      {
        id: 'server',
        header: words.server,
        cell: ({ serverId }) => (serverId === null ? '–' : <bdi>{nameOf(serverId)}</bdi>),
        text: ({ serverId }) => (serverId === null ? '' : nameOf(serverId)),
        width: 'minmax(7rem, 1fr)',
        isMinor: true,
      },
      {
        id: 'created',
        header: words.created,
        cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
        text: ({ createdAt }) => createdAt,
        width: '8.5rem',
      },
    ],
    [words, parts, nameOf],
  );
};
