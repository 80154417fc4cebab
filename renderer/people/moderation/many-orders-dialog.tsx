import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { playersHttp } from '#contracts/people/players.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useEach } from '../../kit/work/use-each.ts';
import { isDone, type ManyTarget } from '../../servers/many-players.ts';
import { moderationWords } from '../../servers/moderation.words.ts';
import { tellLeft } from '../../servers/tell-left.tsx';
import { ManyResults } from './many-results.tsx';

const longestText = 300;
const keyOf = ({ player, server }: ManyTarget) => `${player.id} ${server.id}`;

/** A message to several players, or a kick of each, on the servers where they are now. */
export const ManyOrdersDialog = ({
  action,
  targets,
  onDone,
  onClose,
}: {
  readonly action: 'message' | 'kick';
  readonly targets: readonly ManyTarget[];
  /** Called when it is done for all of them and the dialog is still open. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}) => {
  const words = useWords(moderationWords);
  const general = useWords(designWords);
  const format = useFormat();
  const [text, setText] = useState('');
  // A player who leaves a server in between stays on the list, with their result.
  const [rows] = useState(() => targets.map((target) => ({ ...target, key: keyOf(target) })));
  const people = new Set(rows.map(({ player }) => player.id)).size;
  const isMessage = action === 'message';
  const { results, isRunning, begin } = useEach({
    run: async ({ player, server }: (typeof rows)[number]) => ({
      report: await sendChange(playersHttp.act, {
        params: { id: player.id },
        body: { serverId: server.id, action, text: text.trim() },
      }),
    }),
    stale: [playersHttp.online, consoleHttp.history],
    onEnd(ended, isGone) {
      if (ended.every(({ result }) => isDone(result))) {
        notifyDone(words.many.done[action](people));
        if (isGone) return;
        onDone();
        onClose();
      } else if (isGone)
        tellLeft({
          ended: ended.map(({ item, result }) => ({ name: item.player.name, result })),
          words: words.many,
          format,
        });
    },
  });
  const isOver = results !== null && !isRunning;
  return (
    <FormDialog
      title={words.many.title[action](people)}
      size="lg"
      act={isOver ? null : words.actions[action].act}
      leave={results === null ? general.cancel : general.close}
      isActing={isRunning}
      isReady={!isMessage || text.trim() !== ''}
      isDestructive={!isMessage}
      onSubmit={() => void begin(rows)}
      onClose={onClose}
    >
      <Text>{words.many.text[action]}</Text>
      {results === null && (
        <Textarea
          label={isMessage ? words.message : words.reason}
          {...(!isMessage && { description: words.reasonHelp })}
          value={text}
          // One line: games support no more.
          onChange={({ currentTarget }) => setText(currentTarget.value.replaceAll(/\p{Cc}+/gu, ' '))}
          required={isMessage}
          maxLength={longestText}
          autosize
          minRows={1}
          data-autofocus
        />
      )}
      <ManyResults
        rows={rows.map(({ key, player, server }) => ({ key, name: player.name, where: server.name }))}
        results={results}
      />
      {isRunning && (
        <Text size="sm" c="dimmed">
          {words.many.mayLeave}
        </Text>
      )}
    </FormDialog>
  );
};
