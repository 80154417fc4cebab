import { Alert, List, Text } from '@mantine/core';
import { useState } from 'react';
import { type Member, type MemberDetails, membersHttp } from '#contracts/people/members.ts';
import { games } from '#contracts/servers/games.ts';
import { useChange } from '../../kit/api/queries.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberPicker } from '../../store/member-picker.tsx';
import { storePartsWords } from '../../store/store-parts.words.ts';
import { usePoints } from '../../store/use-points.ts';
import { membersWords } from './members.words.ts';
import { sayMerged, staleByMerge } from './undo-merge.ts';

/** Merges another member into this one, after showing what moves. */
export const MergeDialog = (props: {
  readonly member: MemberDetails;
  readonly name: string;
  readonly onClose: () => void;
}) => {
  const { member, name, onClose } = props;
  const { merge: words, undoDone } = useWords(membersWords);
  const parts = useWords(storePartsWords);
  const [other, setOther] = useState<Member | null>(null);
  const merge = useChange(membersHttp.merge, staleByMerge);
  const hasTwoDiscords = other !== null && other.discordId !== null && member.discordId !== null;
  return (
    <FormDialog
      title={<bdi>{words.title(name)}</bdi>}
      act={words.act}
      isActing={merge.isPending}
      isReady={other !== null && !hasTwoDiscords}
      isDestructive
      error={merge.error}
      onSubmit={() => {
        if (!other) return;
        merge.mutate(
          { params: { id: member.id }, body: { mergedId: other.id } },
          {
            onSuccess(joined) {
              const done = words.done(other.name || parts.memberNumber(other.id));
              sayMerged(joined, { done, undone: undoDone });
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
      staysWhileActing
    >
      <Text>{words.text}</Text>
      <MemberPicker label={words.other} value={other} onChange={setOther} without={member.id} isFirst />
      {hasTwoDiscords && (
        <Alert color="var(--tone-warn)" variant="outline">
          {words.twoDiscords}
        </Alert>
      )}
      {other && !hasTwoDiscords && <WhatMoves from={other} balance={member.balance} />}
    </FormDialog>
  );
};

const WhatMoves = ({ from, balance }: { readonly from: Member; readonly balance: number }) => {
  const words = useWords(membersWords).merge;
  const format = useFormat();
  const { points } = usePoints();
  const names = from.players.map(({ name, game }) => `${name} (${games[game].name})`);
  return (
    <div role="status">
      <Text fw={600}>{words.moves}</Text>
      <List>
        <List.Item>
          <bdi>{names.length > 0 ? words.players(format.list(names)) : words.noPlayers}</bdi>
        </List.Item>
        <List.Item>{words.points(points(from.balance), points(balance + from.balance))}</List.Item>
        <List.Item>{words.history}</List.Item>
        {from.discordId !== null && <List.Item>{words.discord}</List.Item>}
      </List>
      <Text size="sm" c="dimmed" mt="xs">
        {words.undo}
      </Text>
    </div>
  );
};
