import { Stack, Text } from '@mantine/core';
import { type MemberDetails, membersHttp } from '#contracts/members.ts';
import { ordersHttp } from '#contracts/orders.ts';
import { playersHttp } from '#contracts/players.ts';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { notifyDone } from '../../design/notify.ts';
import { useWords } from '../../language/use-words.ts';
import { usePoints } from '../../store-parts/use-points.ts';
import { useChange } from '../../wire/queries.ts';
import { membersWords } from './members.words.ts';

export interface EraseDialogProps {
  readonly member: MemberDetails;
  readonly name: string;
  readonly onClose: () => void;
}

export const EraseDialog = ({ member, name, onClose }: EraseDialogProps) => {
  const words = useWords(membersWords).erase;
  const { points } = usePoints();
  const erase = useChange(membersHttp.erase, [
    membersHttp.read,
    membersHttp.search,
    membersHttp.ledger,
    ordersHttp.list,
    ordersHttp.read,
    playersHttp.search,
    playersHttp.read,
  ]);
  return (
    <ConfirmAction
      title={words.title(name)}
      act={words.act}
      onAction={async () => {
        await erase.mutateAsync({ params: { id: member.id }, body: { version: member.version } });
        notifyDone(words.done);
      }}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text>{words.text}</Text>
        {member.balance > 0 && <Text>{words.wallet(points(member.balance))}</Text>}
        <Text fw={600}>{words.never}</Text>
      </Stack>
    </ConfirmAction>
  );
};
