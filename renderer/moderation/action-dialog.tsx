import { Select, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { consoleHttp } from '#contracts/console.ts';
import { type ModerationAction, playersHttp } from '#contracts/players.ts';
import { designWords } from '../design/design.words.ts';
import { FormDialog } from '../design/form-dialog.tsx';
import { useWords } from '../language/use-words.ts';
import { useChange } from '../wire/queries.ts';
import { ActionReport } from './action-report.tsx';
import { moderationWords } from './moderation.words.ts';

export type PlayerAction = ModerationAction['action'];

export interface ActionServer {
  readonly id: string;
  readonly name: string;
}

export interface ActionDialogProps {
  readonly player: { readonly id: string; readonly name: string };
  readonly action: PlayerAction;
  /** Where orders may be given. */
  readonly servers: readonly ActionServer[];
  /** The one that is chosen at first; there is nothing to choose where it is the only one. */
  readonly serverId: string | null;
  readonly onClose: () => void;
}

const longestText = 300;
const destructive: readonly PlayerAction[] = ['kick', 'ban', 'whitelist-remove'];

/** Asks for what an order needs, says what it does, and then what became of it. */
export const ActionDialog = ({ player, action, servers, serverId, onClose }: ActionDialogProps) => {
  const words = useWords(moderationWords);
  const general = useWords(designWords);
  const isOnlyOne = servers.length === 1 && serverId !== null;
  const [chosen, setChosen] = useState(serverId);
  const [text, setText] = useState('');
  const order = useChange(playersHttp.act, [playersHttp.online, consoleHttp.history]);
  const { act, verb, text: meaning } = words.actions[action];
  const isMessage = action === 'message';
  const hasText = isMessage || action === 'kick' || action === 'ban';
  const isDone = order.data?.verdict === 'done';
  const isReady = chosen !== null && (!isMessage || text.trim() !== '');

  const send = () => {
    if (chosen === null || !isReady || order.isPending) return;
    order.mutate({ params: { id: player.id }, body: { serverId: chosen, action, ...(hasText && { text }) } });
  };
  /** What was said of the order before is no word on another one. */
  const change = (set: () => void) => {
    set();
    order.reset();
  };

  return (
    <FormDialog
      title={
        <>
          {verb} <bdi>{player.name}</bdi>
        </>
      }
      act={isDone ? null : order.data ? words.again : act}
      leave={order.data ? general.close : general.cancel}
      isActing={order.isPending}
      isReady={isReady}
      isDestructive={destructive.includes(action)}
      error={order.error}
      onSubmit={send}
      onClose={onClose}
      closeOnClickOutside
    >
      <Text>{meaning}</Text>
      {servers.length === 0 && <Text>{words.noServer}</Text>}
      {!isDone && !isOnlyOne && (
        <Select
          label={words.server}
          placeholder={words.choose}
          data={servers.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onChange={(value) => change(() => setChosen(value))}
          allowDeselect={false}
          required
          disabled={order.isPending}
        />
      )}
      {!isDone && hasText && (
        <Textarea
          label={isMessage ? words.message : words.reason}
          {...(!isMessage && { description: words.reasonHelp })}
          value={text}
          // One line: games have no other.
          onChange={({ currentTarget }) => {
            const line = currentTarget.value.replaceAll(/\p{Cc}+/gu, ' ');
            change(() => setText(line));
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          required={isMessage}
          // What is on its way stays what the report will be about.
          readOnly={order.isPending}
          maxLength={longestText}
          autosize
          minRows={1}
          data-autofocus
        />
      )}
      <div role="status">{order.data && <ActionReport report={order.data} />}</div>
    </FormDialog>
  );
};
