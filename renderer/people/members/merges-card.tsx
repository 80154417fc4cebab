import { Button, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { type MemberDetails, membersHttp } from '#contracts/people/members.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { usePoints } from '../../store/use-points.ts';
import { membersWords } from './members.words.ts';
import { staleByMerge } from './undo-merge.ts';

type Merge = MemberDetails['merges'][number];

export const MergesCard = ({ member }: { readonly member: MemberDetails }) => {
  const words = useWords(membersWords);
  const format = useFormat();
  const can = useCan();
  const { points } = usePoints();
  const [undoing, setUndoing] = useState<Merge | null>(null);
  const undo = useChange(membersHttp.undoMerge, staleByMerge);
  if (member.merges.length === 0) return null;
  const namesOf = ({ playerNames }: Merge) => format.list(playerNames) || words.noNames;
  return (
    <Card title={words.merges}>
      <Text c="dimmed" size="sm">
        {words.mergesText}
      </Text>
      <Table.ScrollContainer minWidth={460} scrollAreaProps={{ tabIndex: 0 }}>
        <Table aria-label={words.merges}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.mergedPlayers}</Table.Th>
              <Table.Th ta="end">{words.mergedPoints}</Table.Th>
              <Table.Th>{words.by}</Table.Th>
              <Table.Th>{words.when}</Table.Th>
              <Table.Th ta="end">{words.undo}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {member.merges.map((merge) => (
              <Table.Tr key={merge.id}>
                <Table.Td>
                  <bdi>{format.list(merge.playerNames) || '–'}</bdi>
                </Table.Td>
                <Table.Td ta="end">{format.number(merge.points)}</Table.Td>
                <Table.Td>
                  <bdi>{merge.actorName ?? '–'}</bdi>
                </Table.Td>
                <Table.Td>
                  <TimeAgo at={merge.at} />
                </Table.Td>
                <Table.Td ta="end">
                  {merge.undoneAt !== null && words.undone(format.number(merge.pointsReturned ?? 0))}
                  {merge.undoneAt === null && can('members.write') && member.erasedAt === null && (
                    <Button size="compact-sm" variant="default" onClick={() => setUndoing(merge)}>
                      {words.undo}
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {undoing && (
        <ConfirmAction
          title={words.undoTitle}
          act={words.undo}
          onAction={() => undo.mutateAsync({ params: { id: member.id, mergeId: undoing.id }, body: {} })}
          doneText={words.undoDone}
          onClose={() => setUndoing(null)}
        >
          <bdi>{words.undoText(namesOf(undoing), points(undoing.points))}</bdi>
        </ConfirmAction>
      )}
    </Card>
  );
};
