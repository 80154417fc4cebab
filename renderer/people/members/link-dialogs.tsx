import { Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type MemberDetails, membersHttp } from '#contracts/people/members.ts';
import { useSecondsLeft } from '../../identity/use-countdown.ts';
import { useChange } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { usePoints } from '../../store/use-points.ts';
import classes from './members.module.css';
import { membersWords } from './members.words.ts';
import { sayMerged, staleByMerge } from './undo-merge.ts';

interface LinkDialogProps {
  readonly member: MemberDetails;
  readonly onClose: () => void;
}

/** Shows a code that merges another account into this member, and its remaining time. */
export const LinkCodeDialog = ({ member, onClose }: LinkDialogProps) => {
  const words = useWords(membersWords).link;
  const general = useWords(designWords);
  const format = useFormat();
  const make = useChange(membersHttp.linkCode, []);
  const [seconds, setSeconds] = useState(0);
  const left = useSecondsLeft(seconds, make.data);
  const isValid = make.data !== undefined && left > 0;
  return (
    <FormDialog
      title={words.title}
      act={make.data === undefined ? words.make : words.again}
      leave={general.close}
      isActing={make.isPending}
      error={make.error}
      onSubmit={() =>
        make.mutate(
          { params: { id: member.id }, body: {} },
          {
            onSuccess: ({ expiresAt }) =>
              setSeconds(Math.max(0, Math.floor((Date.parse(expiresAt) - serverNowMs()) / 1000))),
          },
        )
      }
      onClose={onClose}
    >
      <Text>{words.text}</Text>
      {make.data && (
        <div role="status">
          <Group gap="xs">
            <Text
              component="output"
              aria-label={words.code}
              className={classes.code}
              td={isValid ? undefined : 'line-through'}
            >
              {make.data.code}
            </Text>
            {isValid && <CopyButton value={make.data.code} />}
          </Group>
          <Text size="sm" c={isValid ? 'dimmed' : 'var(--tone-bad)'} aria-live="off">
            {isValid ? words.left(format.duration(left)) : words.over}
          </Text>
        </div>
      )}
      <Text>{words.how}</Text>
    </FormDialog>
  );
};

/** Merges this member with the one that created a code. */
export const EnterCodeDialog = ({ member, name, onClose }: LinkDialogProps & { readonly name: string }) => {
  const { link: words, undoDone } = useWords(membersWords);
  const { points } = usePoints();
  const [code, setCode] = useState('');
  const redeem = useChange(membersHttp.redeemCode, staleByMerge);
  return (
    <FormDialog
      title={words.enterTitle}
      act={words.join}
      isActing={redeem.isPending}
      isReady={code.trim() !== ''}
      error={redeem.error}
      onSubmit={() =>
        redeem.mutate(
          { params: { id: member.id }, body: { code } },
          {
            onSuccess(joined) {
              sayMerged(joined, { done: words.joined, undone: undoDone });
              onClose();
              goTo(`/members/${joined.id}`);
            },
          },
        )
      }
      onClose={onClose}
      staysWhileActing
    >
      <Text>
        <bdi>{words.enterText(name, points(member.balance))}</bdi>
      </Text>
      <TextInput
        label={words.code}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        required
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
};
