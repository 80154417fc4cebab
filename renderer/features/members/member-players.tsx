import { Table, Text } from '@mantine/core';
import { games } from '#contracts/games.ts';
import type { MemberDetails } from '#contracts/members.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { useWords } from '../../language/use-words.ts';
import { membersWords } from './members.words.ts';

export const MemberPlayers = ({ players }: Pick<MemberDetails, 'players'>) => {
  const words = useWords(membersWords);
  const can = useCan();
  return (
    <Card title={words.players}>
      {players.length === 0 ? (
        <Text c="dimmed">{words.noPlayers}</Text>
      ) : (
        <Table.ScrollContainer minWidth={420} scrollAreaProps={{ tabIndex: 0 }}>
          <Table aria-label={words.players}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.name}</Table.Th>
                <Table.Th>{words.game}</Table.Th>
                <Table.Th>{words.platformId}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {players.map(({ id, name, game, platformId }) => (
                <Table.Tr key={id}>
                  <Table.Td miw="7rem">
                    {can.somewhere('players.read') ? (
                      <PanelLink to={`/players/${id}`}>
                        <bdi>{name}</bdi>
                      </PanelLink>
                    ) : (
                      <bdi>{name}</bdi>
                    )}
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{games[game].name}</Table.Td>
                  <Table.Td>
                    <bdi>{platformId ?? words.noPlatformId}</bdi>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  );
};
