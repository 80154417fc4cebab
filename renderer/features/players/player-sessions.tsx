import { Button, Table, Text } from '@mantine/core';
import { playersHttp } from '#contracts/players.ts';
import { Card } from '../../design/card.tsx';
import { Loading } from '../../design/loading.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { Trouble } from '../../design/trouble.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { usePagedRead } from '../../wire/queries.ts';
import { playersWords } from './players.words.ts';

export interface PlayerSessionsProps {
  readonly playerId: string;
  readonly nameOf: (serverId: string) => string;
}

const pageSize = 25;

export const PlayerSessions = ({ playerId, nameOf }: PlayerSessionsProps) => {
  const words = useWords(playersWords);
  const format = useFormat();
  const sessions = usePagedRead(playersHttp.sessions, {
    params: { id: playerId },
    query: { limit: pageSize },
  });
  const { rows, isPending, error, hasMore, isLoadingMore, loadMore, reload } = sessions;
  return (
    <Card title={words.sessions}>
      {error && rows.length === 0 && <Trouble error={error} onRetry={reload} />}
      {isPending && !error && <Loading />}
      {!isPending && rows.length === 0 && <Text c="dimmed">{words.noSessions}</Text>}
      {rows.length > 0 && (
        <Table aria-label={words.sessions}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.server}</Table.Th>
              <Table.Th>{words.joined}</Table.Th>
              <Table.Th>{words.left}</Table.Th>
              <Table.Th ta="end">{words.played}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ id, serverId, joinedAt, leftAt, playedSeconds }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <bdi>{nameOf(serverId)}</bdi>
                </Table.Td>
                <Table.Td>
                  <TimeAgo at={joinedAt} />
                </Table.Td>
                <Table.Td>
                  {leftAt ? <TimeAgo at={leftAt} /> : <StateLabel tone="ok">{words.stillOn}</StateLabel>}
                </Table.Td>
                <Table.Td ta="end">{format.duration(playedSeconds)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {hasMore && (
        <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
          {words.more}
        </Button>
      )}
    </Card>
  );
};
