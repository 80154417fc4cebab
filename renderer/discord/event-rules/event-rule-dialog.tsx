import { Button, MultiSelect, Select, Stack, Switch, Text } from '@mantine/core';
import {
  type BotGuild,
  discordEventsHttp,
  type EventRule,
  type NewEventRule,
} from '#contracts/discord/discord-events.ts';
import { type EventKindName, eventKindNames } from '#contracts/kernel/event-kinds.ts';
import { type Severity, severities } from '#contracts/operations/event-row.ts';
import { eventWords } from '#contracts/operations/event-words.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { DraftDialog } from '../../kit/forms/draft-dialog.tsx';
import { useDraftForm } from '../../kit/forms/use-draft-form.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { channelChoices, channelName, withChosen } from '../discord-parts/channel-choices.ts';
import { discordWords } from '../discord-parts/discord.words.ts';
import { eventRulesWords } from './event-rules.words.ts';

type Draft = Omit<NewEventRule, 'channelId'> & { readonly channelId: string | null };

const emptyDraft: Draft = {
  isEnabled: true,
  channelId: null,
  kinds: [],
  severities: [],
  serverIds: [],
  roleId: null,
};
const draftOf = (rule: EventRule | null): Draft => {
  if (!rule) return emptyDraft;
  const { isEnabled, channelId, kinds, severities: chosen, serverIds, roleId } = rule;
  return { isEnabled, channelId, kinds, severities: chosen, serverIds, roleId };
};

/** One rule: which events go where, and who is mentioned. */
export const EventRuleDialog = (props: {
  /** Its state when the change began; null: a new one. */
  readonly begun: EventRule | null;
  /** Its current state; undefined if another admin has removed it. */
  readonly newest: EventRule | undefined;
  readonly guild: BotGuild | null;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { begun, newest, guild, readNewest, onClose } = props;
  const words = useWords(eventRulesWords);
  const create = useChange(discordEventsHttp.create, [discordEventsHttp.list]);
  const change = useChange(discordEventsHttp.change, [discordEventsHttp.list]);
  const form = useDraftForm({
    begun,
    newest,
    readNewest,
    draftOf,
    bodyOf: ({ channelId, ...typed }) => (channelId === null ? null : { ...typed, channelId }),
    send: (body, version) =>
      begun
        ? change.mutateAsync({ params: { id: begun.id }, body: { version, ...body } })
        : create.mutateAsync({ body }),
    savedText: words.saved,
    onClose,
  });
  const { draft, edit } = form;
  return (
    <DraftDialog
      form={form}
      words={words}
      note={begun ? undefined : words.fromNow}
      theirs={(theirs) => <TheirRule rule={theirs} guild={guild} />}
      onClose={onClose}
    >
      <RuleFields draft={draft} guild={guild} onEdit={edit} />
      {/* The result of a test belongs to the channel and the role that it was made with. */}
      <TestPost key={`${draft.channelId} ${draft.roleId}`} draft={draft} />
    </DraftDialog>
  );
};

const RuleFields = (props: {
  readonly draft: Draft;
  readonly guild: BotGuild | null;
  readonly onEdit: (edited: Partial<Draft>) => void;
}) => {
  const { draft, guild, onEdit } = props;
  const words = useWords(eventRulesWords);
  const { channelHint } = useWords(discordWords);
  const told = eventWords[useLanguage()];
  const enabled = useCan().somewhere('servers.read');
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  const roles = (guild?.roles ?? []).map(({ id, name }) => ({ value: id, label: `@${name}` }));
  return (
    <>
      <Select
        label={words.channel}
        description={channelHint}
        required
        searchable
        data={withChosen(channelChoices(guild?.channels ?? []), draft.channelId, words.unknownChannel)}
        value={draft.channelId}
        onChange={(channelId) => onEdit({ channelId })}
        data-autofocus
        openOnFocus={false}
      />
      <MultiSelect
        label={words.kinds}
        description={words.noKinds}
        searchable
        data={eventKindNames.map((kind) => ({ value: kind, label: told.kinds[kind] }))}
        value={draft.kinds}
        onChange={(kinds) => onEdit({ kinds: kinds as EventKindName[] })}
      />
      <MultiSelect
        label={words.severities}
        description={words.emptyIsAll}
        data={severities.map((severity) => ({ value: severity, label: told.severities[severity] }))}
        value={draft.severities}
        onChange={(chosen) => onEdit({ severities: chosen as Severity[] })}
      />
      <MultiSelect
        label={words.servers}
        description={words.emptyIsAll}
        searchable
        data={servers.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.serverIds}
        onChange={(serverIds) => onEdit({ serverIds })}
      />
      <Select
        label={words.role}
        placeholder={words.noRole}
        searchable
        clearable
        data={withChosen(roles, draft.roleId, words.unknownRole)}
        value={draft.roleId}
        onChange={(roleId) => onEdit({ roleId })}
      />
      <Switch
        label={words.isEnabled}
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => onEdit({ isEnabled: currentTarget.checked })}
      />
    </>
  );
};

const TestPost = ({ draft: { channelId, roleId } }: { readonly draft: Draft }) => {
  const words = useWords(eventRulesWords);
  const test = useChange(discordEventsHttp.test, []);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        disabled={channelId === null}
        loading={test.isPending}
        onClick={() => channelId !== null && test.mutate({ body: { channelId, roleId } })}
      >
        {words.test}
      </Button>
      <Text size="sm" role="status">
        {test.data && words.outcomes[test.data.outcome]}
      </Text>
      {test.error && <Trouble error={test.error} />}
    </Stack>
  );
};

const TheirRule = ({ rule, guild }: { readonly rule: EventRule; readonly guild: BotGuild | null }) => {
  const words = useWords(eventRulesWords);
  const told = eventWords[useLanguage()];
  const { list } = useFormat();
  return (
    <Text>
      {words.channel}: {channelName(guild, rule.channelId) ?? words.unknownChannel(rule.channelId)}
      <br />
      {words.kinds}:{' '}
      {rule.kinds.length === 0 ? words.allKinds : list(rule.kinds.map((kind) => told.kinds[kind]))}
      <br />
      {words.isEnabled}: {rule.isEnabled ? words.on : words.off}
    </Text>
  );
};
