import { Button, Table, Text } from '@mantine/core';
import { type LedgerEntry, membersHttp } from '#contracts/people/members.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, usePagedRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberLink } from '../../store/member-link.tsx';
import { membersWords } from './members.words.ts';

const pageSize = 25;
/** The table scrolls within the card on a phone. */
const leastWidth = 460;

export const LedgerCard = ({ memberId: id }: { readonly memberId: string }) => {
  const words = useWords(membersWords);
  const format = useFormat();
  const ledger = usePagedRead(
    membersHttp.ledger,
    { params: { id }, query: { limit: pageSize } },
    { everyMs: pollMs.usual },
  );
  const { rows, isPending, error, hasMore, isLoadingMore, loadMore, reload } = ledger;
  return (
    <Card title={words.ledger}>
      <Text c="dimmed" size="sm">
        {words.ledgerText}
      </Text>
      {error && rows.length === 0 && <Trouble error={error} onRetry={reload} />}
      {isPending && !error && <Loading />}
      {!isPending && rows.length === 0 && !error && <Text c="dimmed">{words.noLedger}</Text>}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={leastWidth} scrollAreaProps={{ tabIndex: 0 }}>
          <Table aria-label={words.ledger}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.kind}</Table.Th>
                <Table.Th ta="end">{words.change}</Table.Th>
                <Table.Th>{words.by}</Table.Th>
                <Table.Th>{words.when}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((entry) => (
                <Table.Tr key={entry.id}>
                  <Table.Td>
                    <LedgerWhat entry={entry} />
                  </Table.Td>
                  <Table.Td ta="end" fw={600} c={entry.change < 0 ? 'var(--tone-bad)' : 'var(--tone-ok)'}>
                    {entry.change > 0 ? '+' : '−'}
                    {format.number(Math.abs(entry.change))}
                  </Table.Td>
                  <Table.Td>
                    <bdi>{entry.actorName ?? '–'}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <TimeAgo at={entry.at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {hasMore && (
        <div>
          <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
            {words.more}
          </Button>
        </div>
      )}
    </Card>
  );
};

const LedgerWhat = ({ entry }: { readonly entry: LedgerEntry }) => {
  const words = useWords(membersWords);
  const can = useCan();
  const { kind, change, otherMemberId, orderId, reward, note } = entry;
  return (
    <>
      {words.kinds[kind]}
      {reward !== null && (
        <>
          {': '}
          <bdi>{words.rewards[reward.kind](reward.name)}</bdi>
        </>
      )}
      {otherMemberId !== null && (
        <>
          {' '}
          {change < 0 ? words.to : words.from} <MemberLink id={otherMemberId} name="" />
        </>
      )}
      {orderId !== null && can('orders.read') && (
        <>
          {' · '}
          <PanelLink to={`/orders/${orderId}`}>{words.order}</PanelLink>
        </>
      )}
      {note !== null && note !== '' && (
        <Text size="sm" c="dimmed">
          <bdi>{note}</bdi>
        </Text>
      )}
    </>
  );
};
