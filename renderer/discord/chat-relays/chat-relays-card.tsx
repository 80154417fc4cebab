import { Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import {
  type ChatFilter,
  type ChatRelay,
  type ChatRelayObstacle,
  discordChatHttp,
  type FilterTreatment,
  filterTreatments,
  isFilterWord,
  mostFilterWords,
} from '#contracts/discord/discord-chat.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { VersionedDialog } from '../../kit/forms/versioned-dialog.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { UnheardChatNotice } from '../../servers/unheard-chat-notice.tsx';
import { CardItem, CardItems, ItemActions, ItemTime } from '../discord-parts/card-items.tsx';
import { channelName } from '../discord-parts/channel-choices.ts';
import { ChatRelayDialog, waysOf } from './chat-relay-dialog.tsx';
import { chatRelaysWords } from './chat-relays.words.ts';

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The words that no relay lets pass. */
const ChatFilterDialog = (props: {
  /** The current version. */
  readonly filter: ChatFilter;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { filter, readNewest, onClose } = props;
  const shared = useWords(chatRelaysWords);
  const words = shared.filter;
  const [text, setText] = useState(filter.words.join('\n'));
  const [treatment, setTreatment] = useState<FilterTreatment>(filter.treatment);
  const [version] = useState(filter.version);
  const change = useChange(discordChatHttp.changeFilter, [discordChatHttp.list]);
  const lines = linesOf(text);
  const invalid = lines.find((line) => !isFilterWord(line));
  const form = useVersionedForm({
    version,
    newest: filter,
    readNewest,
    async send(over) {
      const saved = await change.mutateAsync({ body: { version: over, words: lines, treatment } });
      notifyDone(shared.saved);
      onClose();
      return saved;
    },
    show(theirs) {
      setText(theirs.words.join('\n'));
      setTreatment(theirs.treatment);
    },
  });
  const fault = () => {
    if (invalid !== undefined) return words.invalid(invalid);
    return lines.length > mostFilterWords ? words.tooMany(mostFilterWords) : null;
  };
  return (
    <VersionedDialog
      form={form}
      title={words.title}
      act={shared.save}
      isReady={fault() === null}
      conflictTitle={words.theirs}
      theirs={(theirs) => (
        <Text style={{ whiteSpace: 'pre-line' }}>{theirs.words.join('\n') || words.none}</Text>
      )}
      onClose={onClose}
    >
      <Textarea
        label={words.words}
        description={words.hint}
        error={fault()}
        value={text}
        onChange={({ currentTarget }) => {
          form.clear();
          setText(currentTarget.value);
        }}
        autosize
        minRows={4}
        maxRows={12}
        data-autofocus
      />
      <Radio.Group
        label={words.treatment}
        value={treatment}
        onChange={(chosen) => {
          form.clear();
          setTreatment(filterTreatments.find((one) => one === chosen) ?? 'mask');
        }}
      >
        <Stack gap="xs" mt="xs">
          {filterTreatments.map((one) => (
            <Radio key={one} value={one} label={words.treatments[one]} />
          ))}
        </Stack>
      </Radio.Group>
    </VersionedDialog>
  );
};

/** The relay that is being edited, a new one, the word filter, or nothing. */
type Edited = { readonly relayId: string } | 'new' | 'filter' | null;

/** Which chats go to which channels and back. */
export const ChatRelaysCard = () => {
  const words = useWords(chatRelaysWords);
  const can = useCan();
  const mayChange = can('settings.write');
  const read = useRead(discordChatHttp.list, {}, { everyMs: pollMs.live });
  const enabled = can.somewhere('servers.read');
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  const [edited, setEdited] = useState<Edited>(null);
  const close = () => setEdited(null);
  return (
    <Card title={words.title}>
      <Text>{words.description}</Text>
      <AsyncContent read={read}>
        {({ relays, filter, guild }) => {
          const edits = typeof edited === 'object' ? edited?.relayId : undefined;
          const relay = relays.find(({ id }) => id === edits);
          const shown = { guild, servers, readNewest: () => read.refetch(), onClose: close };
          return (
            <CardItems
              words={words}
              items={relays}
              item={(one) => (
                <RelayItem
                  key={one.id}
                  relay={one}
                  pair={words.pair(
                    servers.find(({ id }) => id === one.serverId)?.name ?? one.serverId,
                    channelName(guild, one.channelId) ?? words.unknownChannel(one.channelId),
                  )}
                  mayChange={mayChange}
                  onEdit={() => setEdited({ relayId: one.id })}
                />
              )}
              foot={
                <>
                  <UnheardChatNotice
                    only={relays.filter(({ toDiscord }) => toDiscord).map(({ serverId }) => serverId)}
                  />
                  <Text size="sm">
                    {filter.words.length === 0 ? words.filter.none : words.filter.some(filter.words.length)}
                  </Text>
                </>
              }
              mayChange={mayChange}
              isBotHere={guild !== null}
              onAdd={() => setEdited('new')}
              acts={
                <Button variant="default" onClick={() => setEdited('filter')}>
                  {words.filter.edit}
                </Button>
              }
            >
              {(edited === 'new' || relay) && (
                <ChatRelayDialog relay={relay ?? null} others={relays} {...shown} />
              )}
              {edited === 'filter' && (
                <ChatFilterDialog filter={filter} readNewest={shown.readNewest} onClose={close} />
              )}
            </CardItems>
          );
        }}
      </AsyncContent>
    </Card>
  );
};

const RelayItem = (props: {
  readonly relay: ChatRelay;
  /** The names of a server and a channel. */
  readonly pair: string;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}) => {
  const { relay, pair, mayChange, onEdit } = props;
  const words = useWords(chatRelaysWords);
  const remove = useChange(discordChatHttp.remove, [discordChatHttp.list]);
  return (
    <CardItem
      label={words.relay(pair)}
      head={
        <Text fw={700}>
          <bdi>{pair}</bdi>
        </Text>
      }
      state={<RelayState relay={relay} />}
    >
      <Text size="sm">{waysOf(relay, words)}</Text>
      {relay.isEnabled && <Obstacles relay={relay} />}
      {relay.toDiscordLeftOut > 0 && <Text size="sm">{words.toDiscordLeftOut(relay.toDiscordLeftOut)}</Text>}
      {relay.toGameLeftOut > 0 && <Text size="sm">{words.toGameLeftOut(relay.toGameLeftOut)}</Text>}
      {relay.toDiscord && <ItemTime name={words.toDiscordLast} at={relay.toDiscordAt} never={words.never} />}
      {relay.toGame && <ItemTime name={words.toGameLast} at={relay.toGameAt} never={words.never} />}
      {mayChange && (
        <ItemActions
          words={words}
          title={words.removeTitle(pair)}
          text={words.removeText}
          onEdit={onEdit}
          onRemove={() => remove.mutateAsync({ params: { id: relay.id } })}
        />
      )}
    </CardItem>
  );
};

const Obstacles = ({ relay: { obstacles, missing } }: { readonly relay: ChatRelay }) => {
  const words = useWords(chatRelaysWords);
  const { list } = useFormat();
  if (obstacles.length === 0) return null;
  return (
    <div role="status">
      {obstacles.map((obstacle) => (
        <Text key={obstacle} size="sm">
          {words.obstacles[obstacle]}{' '}
          {obstacle === 'permissions-missing' &&
            words.lacks(list(missing.map((name) => words.permissions[name])))}
        </Text>
      ))}
    </div>
  );
};

/** The obstacles that stop everything. */
const total: readonly ChatRelayObstacle[] = [
  'bot-away',
  'guild-unavailable',
  'server-archived',
  'channel-unknown',
];

const isStopped = ({ obstacles, missing, toDiscord, toGame }: ChatRelay): boolean => {
  const isGameStopped = obstacles.includes('game-not-online') || missing.includes('viewChannels');
  const isDiscordStopped = obstacles.some((one) => one !== 'game-not-online');
  return (
    obstacles.some((one) => total.includes(one)) ||
    ((!toDiscord || isDiscordStopped) && (!toGame || isGameStopped))
  );
};

const RelayState = ({ relay }: { readonly relay: ChatRelay }) => {
  const words = useWords(chatRelaysWords);
  const { isEnabled, obstacles } = relay;
  if (!isEnabled) return <StateLabel tone="idle">{words.off}</StateLabel>;
  if (obstacles.length === 0) return <StateLabel tone="ok">{words.on}</StateLabel>;
  if (isStopped(relay)) return <StateLabel tone="bad">{words.nothing}</StateLabel>;
  return <StateLabel tone="warn">{words.partly}</StateLabel>;
};
