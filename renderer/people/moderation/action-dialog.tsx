import { Checkbox, Radio, Select, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { bansHttp } from '#contracts/people/bans.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { type GameId, games, type PlayerAction } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ActionReport } from '../../servers/action-report.tsx';
import { moderationWords } from '../../servers/moderation.words.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import classes from './ban-dialog.module.css';
import { BanTermsFields, useBanTerms } from './ban-terms.tsx';
import { bansWords } from './bans.words.ts';
import { sayBanned } from './say-banned.ts';
import { rereadBans } from './unban.tsx';

const BanDialog = (props: {
  readonly player: { readonly id: string; readonly name: string };
  /** Only servers of this game are offered. */
  readonly game: GameId;
  /** The initially selected one, if not all are. */
  readonly serverId: string | null;
  readonly onClose: () => void;
}) => {
  const { player, game, serverId, onClose } = props;
  const words = useWords(bansWords);
  const can = useCan();
  const mayAll = can('players.write');
  const servers = useServerNames().servers.filter(
    (server) => server.game === game && can('players.write', server.id),
  );
  const [isEverywhere, setIsEverywhere] = useState(mayAll);
  const [marked, setMarked] = useState<readonly string[]>(serverId === null ? [] : [serverId]);
  // A server that is not offered cannot be deselected, so it does not count.
  const chosen = marked.filter((id) => servers.some((server) => server.id === id));
  const terms = useBanTerms();
  const give = useChange(bansHttp.give, rereadBans);

  const isReady = (isEverywhere || chosen.length > 0) && terms.isReady;

  const send = () => {
    const askedMs = serverNowMs();
    give.mutate(
      {
        params: { id: player.id },
        body: {
          servers: isEverywhere ? 'all' : [...chosen],
          game,
          reason: terms.reason,
          until: terms.until(),
        },
      },
      {
        onSuccess(ban) {
          sayBanned({ ban, name: player.name, askedMs, words });
          onClose();
        },
      },
    );
  };

  return (
    <FormDialog
      title={
        <>
          {words.banTitle} <bdi>{player.name}</bdi>
        </>
      }
      act={words.ban}
      isActing={give.isPending}
      isReady={isReady}
      isDestructive
      error={give.error}
      onSubmit={send}
      onClose={onClose}
    >
      <Text>{words.banText}</Text>
      <Radio.Group
        label={words.whereTo}
        value={isEverywhere ? 'all' : 'some'}
        onChange={(value) => setIsEverywhere(value === 'all')}
      >
        <Stack gap="xs" mt="xs">
          {mayAll && (
            <Radio
              value="all"
              label={words.allServers(games[game].name)}
              description={words.allServersText}
            />
          )}
          <Radio value="some" label={words.someServers} />
        </Stack>
      </Radio.Group>
      {!isEverywhere && (
        <Checkbox.Group
          label={words.choose}
          value={[...chosen]}
          onChange={setMarked}
          {...(chosen.length === 0 && { description: words.chooseText })}
        >
          <div className={classes.servers}>
            {servers.map(({ id, name }) => (
              <Checkbox key={id} value={id} label={<bdi>{name}</bdi>} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <BanTermsFields {...terms.fields} />
    </FormDialog>
  );
};

interface ActionServer {
  readonly id: string;
  readonly name: string;
}

export interface ActionDialogProps {
  readonly player: { readonly id: string; readonly name: string };
  readonly action: PlayerAction;
  readonly game: GameId;
  /** The servers where this person may give orders. */
  readonly servers: readonly ActionServer[];
  /** The initially selected one; if it is the only one, there is nothing to choose. */
  readonly serverId: string | null;
  /** Called once the game has proven it, instead of showing that in the dialog. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

const longestText = 300;
const destructive: readonly PlayerAction[] = ['kick', 'whitelist-remove'];

/** Asks for the input of an order, explains its effect, and then shows the result. */
export const ActionDialog = (props: ActionDialogProps) =>
  props.action === 'ban' ? <BanDialog {...props} /> : <OrderDialog {...props} action={props.action} />;

const OrderDialog = (
  props: ActionDialogProps & {
    readonly action: Exclude<PlayerAction, 'ban'>;
  },
) => {
  const { player, action, servers, serverId, onDone, onClose } = props;
  const words = useWords(moderationWords);
  const general = useWords(designWords);
  const isOnlyOne = servers.length === 1 && serverId !== null;
  const [chosen, setChosen] = useState(serverId);
  const [text, setText] = useState('');
  const order = useChange(playersHttp.act, [playersHttp.online, consoleHttp.history, bansHttp.list]);
  const { act, verb, text: meaning } = words.actions[action];
  const isMessage = action === 'message';
  const hasText = isMessage || action === 'kick';
  const isDone = order.data?.verdict === 'done' || order.data?.kept === true;
  const isReady = chosen !== null && (!isMessage || text.trim() !== '');

  const send = () => {
    if (chosen === null || !isReady || order.isPending) return;
    order.mutate(
      { params: { id: player.id }, body: { serverId: chosen, action, ...(hasText && { text }) } },
      {
        onSuccess({ verdict }) {
          if (verdict === 'done') onDone?.();
        },
      },
    );
  };
  /** The report on the previous order does not apply to another one. */
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
          // One line: games support no more.
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
          // While an order is running, its input stays what the report will be about.
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
