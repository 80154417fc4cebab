import { Select, Switch, Text } from '@mantine/core';
import { type ChatRelay, type ChatRelayDraft, discordChatHttp } from '#contracts/discord/discord-chat.ts';
import type { BotGuild } from '#contracts/discord/discord-events.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { DraftDialog } from '../../kit/forms/draft-dialog.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useDraftForm } from '../../kit/forms/use-draft-form.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { type Choice, channelChoices, withChosen } from '../discord-parts/channel-choices.ts';
import { discordWords } from '../discord-parts/discord.words.ts';
import { chatRelaysWords } from './chat-relays.words.ts';

interface Draft extends Omit<ChatRelayDraft, 'serverId' | 'channelId'> {
  readonly serverId: string | null;
  readonly channelId: string | null;
}

const emptyDraft: Draft = {
  isEnabled: true,
  serverId: null,
  channelId: null,
  toDiscord: true,
  toGame: true,
  fromServers: false,
};
const draftOf = (relay: ChatRelay | null): Draft => {
  if (!relay) return emptyDraft;
  const { isEnabled, serverId, channelId, toDiscord, toGame, fromServers } = relay;
  return { isEnabled, serverId, channelId, toDiscord, toGame, fromServers };
};

/** Null: the server or the channel is missing. */
const bodyOf = ({ serverId, channelId, ...typed }: Draft): ChatRelayDraft | null =>
  serverId === null || channelId === null ? null : { ...typed, serverId, channelId };

/** One relay: its server, its channel, and its directions. */
export const ChatRelayDialog = (props: {
  /** The current version; null: a new one. */
  readonly relay: ChatRelay | null;
  readonly others: readonly ChatRelay[];
  readonly guild: BotGuild | null;
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { relay, others, guild, servers, readNewest, onClose } = props;
  const words = useWords(chatRelaysWords);
  const { channelHint } = useWords(discordWords);
  const can = useCan();
  const create = useChange(discordChatHttp.create, [discordChatHttp.list]);
  const change = useChange(discordChatHttp.change, [discordChatHttp.list]);
  const form = useDraftForm({
    begun: relay,
    newest: relay ?? undefined,
    readNewest,
    draftOf,
    bodyOf,
    send: (body, version) =>
      relay
        ? change.mutateAsync({ params: { id: relay.id }, body: { version, ...body } })
        : create.mutateAsync({ body }),
    savedText: words.saved,
    onClose,
  });
  const { draft, edit } = form;
  const errorOf = useFieldErrors(form.error);
  const { serverId, channelId, toDiscord, toGame } = draft;
  const fault = () => {
    if (
      others.some((one) => one.id !== relay?.id && one.serverId === serverId && one.channelId === channelId)
    )
      return words.taken;
    return toDiscord || toGame ? null : words.oneWay;
  };
  const mayRead = can('events.read');
  const maySpeak = can('players.write', serverId ?? undefined);
  const serverChoices = servers.map(({ id, name }) => ({ value: id, label: name }));
  const channels = channelChoices(guild?.channels ?? []);
  return (
    <DraftDialog
      form={form}
      words={words}
      isReady={fault() === null}
      note={relay ? undefined : words.fromNow}
      theirs={(theirs) => (
        <Text>
          {words.pair(nameOf(serverChoices, theirs.serverId), nameOf(channels, theirs.channelId))}:{' '}
          {waysOf(theirs, words)} · {theirs.isEnabled ? words.on : words.off}
        </Text>
      )}
      onClose={onClose}
    >
      <Select
        label={words.server}
        required
        searchable
        data={withChosen(serverChoices, serverId, (id) => id)}
        value={serverId}
        onChange={(chosen) => edit({ serverId: chosen })}
        data-autofocus
        openOnFocus={false}
      />
      <Select
        label={words.channel}
        description={channelHint}
        required
        searchable
        data={withChosen(channels, channelId, words.unknownChannel)}
        value={channelId}
        error={errorOf('channelId')}
        onChange={(chosen) => edit({ channelId: chosen })}
      />
      <Switch
        label={words.toDiscord}
        description={mayRead ? undefined : words.mayNot}
        checked={toDiscord}
        disabled={!mayRead && !toDiscord}
        onChange={({ currentTarget }) => edit({ toDiscord: currentTarget.checked })}
      />
      <Switch
        label={words.toGame}
        description={maySpeak || serverId === null ? undefined : words.mayNot}
        checked={toGame}
        disabled={!maySpeak && !toGame}
        onChange={({ currentTarget: { checked } }) =>
          edit({ toGame: checked, fromServers: checked && draft.fromServers })
        }
      />
      <Switch
        label={words.fromServers}
        description={words.fromServersHint}
        checked={draft.fromServers}
        disabled={!toGame}
        onChange={({ currentTarget }) => edit({ fromServers: currentTarget.checked })}
      />
      <Switch
        label={words.isEnabled}
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => edit({ isEnabled: currentTarget.checked })}
      />
      <Text size="sm" role="status">
        {fault()}
      </Text>
    </DraftDialog>
  );
};

export const waysOf = (
  { toDiscord, toGame, fromServers }: Pick<ChatRelay, 'toDiscord' | 'toGame' | 'fromServers'>,
  words: typeof chatRelaysWords.en,
): string => {
  const one = toDiscord ? words.toDiscordOnly : words.toGameOnly;
  const ways = toDiscord && toGame ? words.bothWays : one;
  return fromServers ? `${ways}, ${words.acrossServers}` : ways;
};

const nameOf = (choices: readonly Choice[], id: string): string =>
  choices.find(({ value }) => value === id)?.label ?? id;
