import { Text } from '@mantine/core';
import { useState } from 'react';
import { discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { discordStatusHttp, type StatusMessage } from '#contracts/discord/discord-status.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { CardItem, CardItems, ItemActions, ItemTime } from '../discord-parts/card-items.tsx';
import { channelName } from '../discord-parts/channel-choices.ts';
import { eventRulesWords } from '../event-rules/event-rules.words.ts';
import { nameOfTarget, StatusMessageDialog, type StatusPlaces } from './status-message-dialog.tsx';
import { statusMessagesWords } from './status-messages.words.ts';

/** The message that is being edited, in the state before the edit, `new`, or none. */
type Edited = StatusMessage | 'new' | null;

/** Which messages show the state of servers. */
export const StatusMessagesCard = () => {
  const words = useWords(statusMessagesWords);
  const can = useCan();
  const mayChange = can('settings.write') && can('servers.read');
  const read = useRead(discordStatusHttp.list, {}, { everyMs: pollMs.live });
  const guild = useRead(discordEventsHttp.list, {}, { everyMs: pollMs.live }).data?.guild ?? null;
  const enabled = can.somewhere('servers.read');
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  const clusters = useRead(clustersHttp.list, {}, { enabled }).data?.rows ?? [];
  const places: StatusPlaces = { guild, servers, clusters };
  const [edited, setEdited] = useState<Edited>(null);
  return (
    <Card title={words.title}>
      <Text>{words.description}</Text>
      <AsyncContent read={read}>
        {({ messages }) => {
          const begun = edited === 'new' ? null : edited;
          return (
            <CardItems
              words={words}
              items={messages}
              item={(one) => (
                <MessageItem
                  key={one.id}
                  message={one}
                  places={places}
                  mayChange={mayChange}
                  onEdit={() => setEdited(one)}
                />
              )}
              mayChange={mayChange}
              isBotHere={guild !== null}
              onAdd={() => setEdited('new')}
            >
              {edited !== null && (
                <StatusMessageDialog
                  begun={begun}
                  newest={messages.find(({ id }) => id === begun?.id)}
                  places={places}
                  readNewest={() => read.refetch()}
                  onClose={() => setEdited(null)}
                />
              )}
            </CardItems>
          );
        }}
      </AsyncContent>
    </Card>
  );
};

const MessageItem = (props: {
  readonly message: StatusMessage;
  readonly places: StatusPlaces;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}) => {
  const { message, places, mayChange, onEdit } = props;
  const words = useWords(statusMessagesWords);
  const { permissions, lacks } = useWords(eventRulesWords);
  const { list } = useFormat();
  const remove = useChange(discordStatusHttp.remove, [discordStatusHttp.list]);
  const { channelId, target, showsNames, isEnabled, obstacle, missing, shownAt } = message;
  const channel = channelName(places.guild, channelId) ?? words.unknownChannel(channelId);
  const name = nameOfTarget(target, places) ?? words.unknownTarget;
  return (
    <CardItem
      label={words.message(name, channel)}
      head={
        <Text fw={700}>
          <bdi>{name}</bdi> · <bdi>{channel}</bdi>
        </Text>
      }
      state={<MessageState message={message} />}
    >
      <Text size="sm">{showsNames ? words.withNames : words.withoutNames}</Text>
      {isEnabled && obstacle && (
        <Text size="sm" role="status">
          {words.obstacles[obstacle]}{' '}
          {obstacle === 'permissions-missing' && lacks(list(missing.map((one) => permissions[one])))}
        </Text>
      )}
      <ItemTime name={words.last} at={shownAt} never={words.never} />
      {mayChange && (
        <ItemActions
          words={words}
          title={words.removeTitle(name)}
          text={words.removeText}
          onEdit={onEdit}
          onRemove={() => remove.mutateAsync({ params: { id: message.id } })}
        />
      )}
    </CardItem>
  );
};

const MessageState = ({ message: { isEnabled, obstacle } }: { readonly message: StatusMessage }) => {
  const words = useWords(statusMessagesWords);
  if (!isEnabled) return <StateLabel tone="idle">{words.off}</StateLabel>;
  if (obstacle === null) return <StateLabel tone="ok">{words.on}</StateLabel>;
  return <StateLabel tone="bad">{words.waits}</StateLabel>;
};
