import { useMemo } from 'react';
import type { Delivery } from '#contracts/store/deliveries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { MemberLink } from '../member-link.tsx';
import { storePartsWords } from '../store-parts.words.ts';

type Column = ListColumn<Delivery>;

/** The columns that all lists of deliveries share. */
export const useDeliveryColumns = (
  nameOf: (serverId: string) => string,
): Readonly<Record<'product' | 'member' | 'server', Column>> => {
  const words = useWords(storePartsWords);
  return useMemo(
    () => ({
      product: {
        id: 'product',
        header: words.product,
        cell: ({ productName }) => <bdi>{productName}</bdi>,
        text: ({ productName }) => productName,
        width: 'minmax(7rem, 1fr)',
      },
      member: {
        id: 'member',
        header: words.receiver,
        cell: ({ memberId, memberName }) => <MemberLink id={memberId} name={memberName} />,
        text: ({ memberId, memberName }) => memberName || words.memberNumber(memberId),
        width: 'minmax(6rem, 1fr)',
      },
      server: {
        id: 'server',
        header: words.server,
        cell: ({ serverId }) => (serverId === null ? '–' : <bdi>{nameOf(serverId)}</bdi>),
        text: ({ serverId }) => (serverId === null ? '' : nameOf(serverId)),
        width: 'minmax(6.5rem, 1fr)',
        isMinor: true,
      },
    }),
    [words, nameOf],
  );
};
