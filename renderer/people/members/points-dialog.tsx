import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Member, type MemberDetails, membersHttp } from '#contracts/people/members.ts';
import { mostPoints } from '#contracts/store/store.ts';
import { useChange } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { offerUndo } from '../../kit/design/offer-undo.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberPicker } from '../../store/member-picker.tsx';
import { usePoints } from '../../store/use-points.ts';
import { membersWords } from './members.words.ts';

export type PointsAct = 'grant' | 'correction' | 'transfer';

const stale = [membersHttp.read, membersHttp.search, membersHttp.ledger, membersHttp.ofPlayer];

/** Grants, takes back or transfers points, after showing the new balance. */
export const PointsDialog = (props: {
  readonly act: PointsAct;
  readonly member: MemberDetails;
  readonly name: string;
  readonly onClose: () => void;
}) => {
  const { act, member, name, onClose } = props;
  const words = useWords(membersWords);
  const { points } = usePoints();
  const [typed, setTyped] = useState<number | string>('');
  const [note, setNote] = useState('');
  const [receiver, setReceiver] = useState<Member | null>(null);
  const grant = useChange(membersHttp.grant, stale);
  const transfer = useChange(membersHttp.transfer, stale);
  const count = typeof typed === 'number' && Number.isInteger(typed) && typed >= 1 ? typed : null;
  const isTaking = act !== 'grant';
  const left = member.balance + (count ?? 0) * (isTaking ? -1 : 1);
  const isReady = count !== null && left >= 0 && (act !== 'transfer' || receiver !== null);
  const { title, verb } = {
    grant: { title: words.giveTitle, verb: words.giveAct },
    correction: { title: words.takeTitle, verb: words.takeAct },
    transfer: { title: words.transferTitle, verb: words.transferAct },
  }[act];

  const send = async () => {
    if (count === null) return;
    const params = { id: member.id };
    if (act === 'transfer') {
      if (!receiver) return;
      await transfer.mutateAsync({ params, body: { toMemberId: receiver.id, points: count, note } });
      notifyDone(words.transferred(points(count), receiver.name));
    } else {
      await grant.mutateAsync({ params, body: { kind: act, points: count, note } });
      const says = (taken: boolean) => (taken ? words.taken : words.given)(points(count), name);
      offerUndo({
        id: `points-${member.id}`,
        done: says(isTaking),
        undone: says(!isTaking),
        undo: () =>
          sendChange(membersHttp.grant, {
            params,
            body: { kind: isTaking ? 'grant' : 'correction', points: count },
          }),
        stale,
      });
    }
    onClose();
  };
  return (
    <FormDialog
      title={<bdi>{title(name)}</bdi>}
      act={verb(points(count ?? 0))}
      isActing={grant.isPending || transfer.isPending}
      isReady={isReady}
      error={grant.error ?? transfer.error}
      // The dialog shows why it was refused.
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
      staysWhileActing
    >
      {act === 'transfer' && (
        <MemberPicker
          label={words.transferTo}
          value={receiver}
          onChange={setReceiver}
          without={member.id}
          isFirst
        />
      )}
      <NumberInput
        label={words.points}
        value={typed}
        onChange={setTyped}
        min={1}
        max={mostPoints}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=" "
        error={left < 0 ? words.tooMany : null}
        required
        {...(act !== 'transfer' && { 'data-autofocus': true })}
      />
      <TextInput
        label={words.note}
        description={words.noteHelp}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        maxLength={300}
        autoComplete="off"
      />
      <Text size="sm" c="dimmed" role="status">
        {words.has(points(member.balance))} {count !== null && left >= 0 && words.willHave(points(left))}
      </Text>
    </FormDialog>
  );
};
