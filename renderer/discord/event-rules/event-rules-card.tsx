import { Text } from '@mantine/core';
import { useState } from 'react';
import { type BotGuild, discordEventsHttp, type EventRule } from '#contracts/discord/discord-events.ts';
import { eventWords } from '#contracts/operations/event-words.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { CardItem, CardItems, ItemActions, ItemTime } from '../discord-parts/card-items.tsx';
import { channelName } from '../discord-parts/channel-choices.ts';
import { EventRuleDialog } from './event-rule-dialog.tsx';
import { eventRulesWords } from './event-rules.words.ts';

/** The rule that is being edited, in the state before the edit, `new`, or none. */
type Edited = EventRule | 'new' | null;

/** Which events go to which channels. */
export const EventRulesCard = () => {
  const words = useWords(eventRulesWords);
  const can = useCan();
  const mayChange = can('settings.write') && can('events.read');
  const read = useRead(discordEventsHttp.list, {}, { everyMs: pollMs.live });
  const [edited, setEdited] = useState<Edited>(null);
  return (
    <Card title={words.title}>
      <Text>{words.description}</Text>
      <AsyncContent read={read}>
        {({ rules, guild }) => {
          const begun = edited === 'new' ? null : edited;
          return (
            <CardItems
              words={words}
              items={rules}
              item={(one) => (
                <RuleItem
                  key={one.id}
                  rule={one}
                  guild={guild}
                  mayChange={mayChange}
                  onEdit={() => setEdited(one)}
                />
              )}
              mayChange={mayChange}
              isBotHere={guild !== null}
              onAdd={() => setEdited('new')}
            >
              {edited !== null && (
                <EventRuleDialog
                  begun={begun}
                  newest={rules.find(({ id }) => id === begun?.id)}
                  guild={guild}
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

const RuleItem = (props: {
  readonly rule: EventRule;
  readonly guild: BotGuild | null;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}) => {
  const { rule, guild, mayChange, onEdit } = props;
  const words = useWords(eventRulesWords);
  const remove = useChange(discordEventsHttp.remove, [discordEventsHttp.list]);
  const channel = channelName(guild, rule.channelId) ?? words.unknownChannel(rule.channelId);
  return (
    <CardItem
      label={words.rule(channel)}
      head={
        <Text fw={700}>
          <bdi>{channel}</bdi>
        </Text>
      }
      state={<RuleState rule={rule} />}
    >
      <RuleWants rule={rule} guild={guild} />
      {rule.isEnabled && rule.obstacle && (
        <Text size="sm" role="status">
          {words.obstacles[rule.obstacle]}{' '}
          {rule.obstacle === 'permissions-missing' && (
            <Lacks names={rule.missing.map((name) => words.permissions[name])} />
          )}
        </Text>
      )}
      {rule.leftOut > 0 && <Text size="sm">{words.leftOut(rule.leftOut)}</Text>}
      <ItemTime name={words.last} at={rule.postedAt} never={words.never} />
      {mayChange && (
        <ItemActions
          words={words}
          title={words.removeTitle(channel)}
          text={words.removeText}
          onEdit={onEdit}
          onRemove={() => remove.mutateAsync({ params: { id: rule.id } })}
        />
      )}
    </CardItem>
  );
};

const Lacks = ({ names }: { readonly names: readonly string[] }) => {
  const words = useWords(eventRulesWords);
  return words.lacks(useFormat().list(names));
};

const RuleState = ({ rule: { isEnabled, obstacle } }: { readonly rule: EventRule }) => {
  const words = useWords(eventRulesWords);
  if (!isEnabled) return <StateLabel tone="idle">{words.off}</StateLabel>;
  if (obstacle === null) return <StateLabel tone="ok">{words.on}</StateLabel>;
  if (obstacle === 'role-unknown' || obstacle === 'role-not-mentionable')
    return <StateLabel tone="warn">{words.on}</StateLabel>;
  return <StateLabel tone="bad">{words.waits}</StateLabel>;
};

const RuleWants = ({ rule, guild }: { readonly rule: EventRule; readonly guild: BotGuild | null }) => {
  const words = useWords(eventRulesWords);
  const told = eventWords[useLanguage()];
  const { list } = useFormat();
  const enabled = useCan().somewhere('servers.read') && rule.serverIds.length > 0;
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  const serverName = (id: string) => servers.find((server) => server.id === id)?.name ?? id;
  const role = guild?.roles.find(({ id }) => id === rule.roleId);
  const parts = [
    rule.kinds.length === 0 ? words.allKinds : list(rule.kinds.map((kind) => told.kinds[kind])),
    rule.severities.length === 0
      ? words.allSeverities
      : list(rule.severities.map((severity) => told.severities[severity])),
    rule.serverIds.length === 0 ? words.allServers : list(rule.serverIds.map(serverName)),
    ...(rule.roleId === null ? [] : [role ? `@${role.name}` : words.unknownRole(rule.roleId)]),
  ];
  return (
    <Text size="sm">
      <bdi>{parts.join(' · ')}</bdi>
    </Text>
  );
};
