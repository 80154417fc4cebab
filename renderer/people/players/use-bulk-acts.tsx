import { Text, Textarea } from '@mantine/core';
import { IconBan, IconDoorExit, IconMessage } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { playersHttp } from '#contracts/people/players.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { hasPlayerAction } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { BulkAction } from '../../kit/lists/list-props.ts';
import { useEach } from '../../kit/work/use-each.ts';
import { type BanTarget, isDone, type ManyTarget } from '../../servers/many-players.ts';
import { moderationWords } from '../../servers/moderation.words.ts';
import { tellLeft } from '../../servers/tell-left.tsx';
import { ManyBansDialog } from '../moderation/many-bans-dialog.tsx';
import { ManyResults } from '../moderation/many-results.tsx';
import type { PlayerLine } from './player-line.ts';

const longestText = 300;
const keyOf = ({ player, server }: ManyTarget) => `${player.id} ${server.id}`;

/** A message to several players, or a kick of each, on the servers where they are now. */
const ManyOrdersDialog = (props: {
  readonly action: 'message' | 'kick';
  readonly targets: readonly ManyTarget[];
  /** Called when it is done for all of them and the dialog is still open. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}) => {
  const { action, targets, onDone, onClose } = props;
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

interface Doing {
  readonly action: 'message' | 'kick' | 'ban';
  readonly rows: readonly PlayerLine[];
  readonly onDone: () => void;
}

interface BulkActs {
  /** Absent: this person may not act on players. */
  readonly bulk?: readonly BulkAction<PlayerLine>[];
  readonly dialog: ReactNode;
}

const nameOf = ({ name }: PlayerLine) => name;
const iconSize = 16;

/** The bulk actions on players of the list, as far as this person may use them. */
export const useBulkActs = (servers: readonly GameServer[]): BulkActs => {
  const { menu } = useWords(moderationWords);
  const can = useCan();
  const [doing, setDoing] = useState<Doing | null>(null);
  const mayAct = can.somewhere('players.write');
  const bulk = useMemo((): readonly BulkAction<PlayerLine>[] => {
    const begin = (action: Doing['action']) => (rows: readonly PlayerLine[], onDone: () => void) =>
      setDoing({ action, rows, onDone });
    const isHere = (action: 'message' | 'kick') => (row: PlayerLine) =>
      placesOf(row, servers, can, action).length > 0;
    return [
      {
        label: menu.message,
        icon: <IconMessage size={iconSize} aria-hidden />,
        isFor: isHere('message'),
        nameOf,
        opens: begin('message'),
      },
      {
        label: menu.kick,
        icon: <IconDoorExit size={iconSize} aria-hidden />,
        isFor: isHere('kick'),
        nameOf,
        opens: begin('kick'),
      },
      {
        label: menu.ban,
        icon: <IconBan size={iconSize} aria-hidden />,
        isDestructive: true,
        isFor: ({ game }) =>
          servers.some((server) => server.game === game && can('players.write', server.id)),
        nameOf,
        opens: begin('ban'),
      },
    ];
  }, [menu, servers, can]);
  const targetsOf = (rows: readonly PlayerLine[], action: 'message' | 'kick') =>
    rows.flatMap((row) => placesOf(row, servers, can, action));
  const close = () => setDoing(null);
  return {
    ...(mayAct && { bulk }),
    dialog:
      doing &&
      (doing.action === 'ban' ? (
        <ManyBansDialog targets={banTargets(doing.rows)} onDone={doing.onDone} onClose={close} />
      ) : (
        <ManyOrdersDialog
          action={doing.action}
          targets={targetsOf(doing.rows, doing.action)}
          onDone={doing.onDone}
          onClose={close}
        />
      )),
  };
};

/** The servers that a player is on now, where this person may act and the game has this action. */
const placesOf = (
  { id, name, where }: PlayerLine,
  servers: readonly GameServer[],
  can: ReturnType<typeof useCan>,
  action: 'message' | 'kick',
): readonly ManyTarget[] =>
  where.state === 'on'
    ? where.places.flatMap(({ serverId }) => {
        const server = servers.find((one) => one.id === serverId);
        return server && can('players.write', serverId) && hasPlayerAction(server.game, action)
          ? [{ player: { id, name }, server }]
          : [];
      })
    : [];

/** A player in two lines is banned once. */
const banTargets = (rows: readonly PlayerLine[]): readonly BanTarget[] => {
  const byId = new Map(rows.map(({ id, name, game }) => [id, { id, name, game }]));
  return [...byId.values()].flatMap(({ id, name, game }) => (game === null ? [] : [{ id, name, game }]));
};
