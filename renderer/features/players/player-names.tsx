import { Table, Text } from '@mantine/core';
import type { PlayerDetails } from '#contracts/players.ts';
import { Card } from '../../design/card.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import { playersWords } from './players.words.ts';

export const PlayerNames = ({ names }: Pick<PlayerDetails, 'names'>) => {
  const words = useWords(playersWords);
  const newestFirst = names.toSorted((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1));
  return (
    <Card title={words.names}>
      <Text c="dimmed" size="sm">
        {words.namesText}
      </Text>
      <Table aria-label={words.names}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.from}</Table.Th>
            <Table.Th>{words.until}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {newestFirst.map(({ name, firstSeenAt, lastSeenAt }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <bdi>{name}</bdi>
              </Table.Td>
              <Table.Td>
                <TimeAgo at={firstSeenAt} />
              </Table.Td>
              <Table.Td>
                <TimeAgo at={lastSeenAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
};
