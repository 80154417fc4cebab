import { Alert, Button, MultiSelect, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import {
  type BotGuild,
  discordEventsHttp,
  type EventRule,
  type NewEventRule,
} from '#contracts/discord-events.ts';
import { type EventKindName, eventKindNames } from '#contracts/event-kinds.ts';
import { type Severity, severities } from '#contracts/event-row.ts';
import { eventWords } from '#contracts/event-words.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { ConflictNotice } from '../../design/conflict-notice.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { notifyDone } from '../../design/notify.ts';
import { Trouble } from '../../design/trouble.tsx';
import { useVersionedForm } from '../../forms/use-versioned-form.ts';
import { useFormat } from '../../language/use-format.ts';
import { useLanguage, useWords } from '../../language/use-words.ts';
import { useChange, useRead } from '../../wire/queries.ts';
import { channelChoices, withChosen } from './channel-choices.ts';
import { eventRulesWords } from './event-rules.words.ts';

export interface EventRuleDialogProps {
  /** The current or last known version; null: a new one. */
  readonly rule: EventRule | null;
  /** Another admin has removed it: what was typed can still be read. */
  readonly isGone: boolean;
  readonly guild: BotGuild | null;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}

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
export const EventRuleDialog = ({ rule, isGone, guild, readNewest, onClose }: EventRuleDialogProps) => {
  const words = useWords(eventRulesWords);
  const [draft, setDraft] = useState(() => draftOf(rule));
  const [version, setVersion] = useState(rule?.version ?? 0);
  const create = useChange(discordEventsHttp.create, [discordEventsHttp.list]);
  const change = useChange(discordEventsHttp.change, [discordEventsHttp.list]);
  const edit = (edited: Partial<Draft>) => {
    form.clear();
    setDraft({ ...draft, ...edited });
  };
  const form = useVersionedForm({
    version,
    newest: rule ?? undefined,
    readNewest,
    async send(over) {
      const { channelId } = draft;
      if (channelId === null) return null;
      const body = { ...draft, channelId };
      const saved = rule
        ? await change.mutateAsync({ params: { id: rule.id }, body: { version: over, ...body } })
        : await create.mutateAsync({ body });
      notifyDone(words.saved);
      onClose();
      return saved;
    },
  });
  const { theirs } = form;
  return (
    <FormDialog
      title={rule ? words.editTitle : words.newTitle}
      act={rule ? words.save : words.create}
      isActing={form.isSaving}
      isReady={draft.channelId !== null && theirs === null && !isGone}
      error={form.error}
      note={rule ? undefined : words.fromNow}
      onSubmit={() => void form.save()}
      onClose={onClose}
    >
      <RuleFields draft={draft} guild={guild} onEdit={edit} />
      {/* The result of a test belongs to the channel and the role that it was made with. */}
      <TestPost key={`${draft.channelId} ${draft.roleId}`} draft={draft} />
      {isGone && <Alert color="var(--tone-warn)" variant="outline" role="alert" title={words.gone} />}
      {theirs && (
        <ConflictNotice
          title={words.theirs}
          isSaving={form.isSaving}
          onTakeTheirs={() => {
            setDraft(draftOf(theirs));
            setVersion(theirs.version);
            form.takeTheirs();
          }}
          onKeepMine={form.keepMine}
        >
          <TheirRule rule={theirs} guild={guild} />
        </ConflictNotice>
      )}
    </FormDialog>
  );
};

interface RuleFieldsProps {
  readonly draft: Draft;
  readonly guild: BotGuild | null;
  readonly onEdit: (edited: Partial<Draft>) => void;
}

const RuleFields = ({ draft, guild, onEdit }: RuleFieldsProps) => {
  const words = useWords(eventRulesWords);
  const told = eventWords[useLanguage()];
  const enabled = useCan().somewhere('servers.read');
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  const roles = (guild?.roles ?? []).map(({ id, name }) => ({ value: id, label: `@${name}` }));
  return (
    <>
      <Select
        label={words.channel}
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
  const channel = guild?.channels.find(({ id }) => id === rule.channelId);
  return (
    <Text>
      {words.channel}: {channel ? `#${channel.name}` : words.unknownChannel(rule.channelId)}
      <br />
      {words.kinds}:{' '}
      {rule.kinds.length === 0 ? words.allKinds : list(rule.kinds.map((kind) => told.kinds[kind]))}
      <br />
      {words.isEnabled}: {rule.isEnabled ? words.on : words.off}
    </Text>
  );
};
