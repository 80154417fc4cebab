import { Alert, Fieldset, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Cluster } from '#contracts/clusters.ts';
import type { BotGuild } from '#contracts/discord-events.ts';
import {
  discordStatusHttp,
  type NewStatusMessage,
  type StatusJoin,
  type StatusMessage,
  type StatusTarget,
} from '#contracts/discord-status.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { ConflictNotice } from '../../design/conflict-notice.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { notifyDone } from '../../design/notify.ts';
import { useVersionedForm } from '../../forms/use-versioned-form.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { channelChoices, withChosen } from './channel-choices.ts';
import { statusMessagesWords } from './status-messages.words.ts';

/** What a message may be about, and where it may be posted. */
export interface StatusPlaces {
  readonly guild: BotGuild | null;
  readonly servers: readonly GameServer[];
  readonly clusters: readonly Cluster[];
}

export interface StatusMessageDialogProps {
  /** The current or last known version; null: a new one. */
  readonly message: StatusMessage | null;
  /** Another admin has removed it: what was typed can still be read. */
  readonly isGone: boolean;
  readonly places: StatusPlaces;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}

type Draft = Omit<NewStatusMessage, 'channelId' | 'target'> & {
  readonly channelId: string | null;
  readonly target: StatusTarget | null;
};

const draftOf = (message: StatusMessage | null): Draft => ({
  isEnabled: message?.isEnabled ?? true,
  channelId: message?.channelId ?? null,
  target: message?.target ?? null,
  showsNames: message?.showsNames ?? false,
  joins: message?.joins ?? [],
});

const keyOf = ({ kind, id }: StatusTarget): string => `${kind}:${id}`;
const targetOf = (key: string): StatusTarget => {
  const [kind, id = ''] = key.split(':');
  return { kind: kind === 'cluster' ? 'cluster' : 'server', id };
};

export const nameOfTarget = (
  { kind, id }: StatusTarget,
  { servers, clusters }: StatusPlaces,
): string | null => (kind === 'server' ? servers : clusters).find((one) => one.id === id)?.name ?? null;

/** One message: its subject, its channel, and its content. */
export const StatusMessageDialog = (props: StatusMessageDialogProps) => {
  const { message, isGone, places, readNewest, onClose } = props;
  const words = useWords(statusMessagesWords);
  const [draft, setDraft] = useState(() => draftOf(message));
  const [version, setVersion] = useState(message?.version ?? 0);
  const create = useChange(discordStatusHttp.create, [discordStatusHttp.list]);
  const change = useChange(discordStatusHttp.change, [discordStatusHttp.list]);
  const edit = (edited: Partial<Draft>) => {
    form.clear();
    setDraft({ ...draft, ...edited });
  };
  const form = useVersionedForm({
    version,
    newest: message ?? undefined,
    readNewest,
    async send(over) {
      const { channelId, target, joins } = draft;
      if (channelId === null || target === null) return null;
      const told = joins.filter(({ address, map }) => address.trim() !== '' || map.trim() !== '');
      const body = { ...draft, channelId, target, joins: told };
      const saved = message
        ? await change.mutateAsync({ params: { id: message.id }, body: { version: over, ...body } })
        : await create.mutateAsync({ body });
      notifyDone(words.saved);
      onClose();
      return saved;
    },
  });
  const { theirs } = form;
  return (
    <FormDialog
      title={message ? words.editTitle : words.newTitle}
      act={message ? words.save : words.create}
      isActing={form.isSaving}
      isReady={draft.channelId !== null && draft.target !== null && theirs === null && !isGone}
      error={form.error}
      onSubmit={() => void form.save()}
      onClose={onClose}
    >
      <MessageFields draft={draft} places={places} onEdit={edit} />
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
          <Text>
            {words.target}: {nameOfTarget(theirs.target, places) ?? words.unknownTarget}
            <br />
            {theirs.showsNames ? words.withNames : words.withoutNames}
            <br />
            {words.isEnabled}: {theirs.isEnabled ? words.on : words.off}
          </Text>
        </ConflictNotice>
      )}
    </FormDialog>
  );
};

interface MessageFieldsProps {
  readonly draft: Draft;
  readonly places: StatusPlaces;
  readonly onEdit: (edited: Partial<Draft>) => void;
}

const MessageFields = ({ draft, places, onEdit }: MessageFieldsProps) => {
  const words = useWords(statusMessagesWords);
  const maySeePlayers = useCan()('players.read');
  const { guild, servers, clusters } = places;
  const choicesOf = (kind: StatusTarget['kind'], all: readonly { id: string; name: string }[]) =>
    all.map(({ id, name }) => ({ value: keyOf({ kind, id }), label: name }));
  const { target } = draft;
  const isKnown = target === null || nameOfTarget(target, places) !== null;
  const shown = servers.filter(
    ({ id, clusterId }) => target !== null && (target.kind === 'server' ? id : clusterId) === target.id,
  );
  return (
    <>
      <Select
        label={words.target}
        required
        searchable
        data={[
          ...(target !== null && !isKnown ? [{ value: keyOf(target), label: words.unknownTarget }] : []),
          { group: words.clusters, items: choicesOf('cluster', clusters) },
          { group: words.servers, items: choicesOf('server', servers) },
        ]}
        value={target && keyOf(target)}
        onChange={(key) => onEdit({ target: key === null ? null : targetOf(key) })}
        data-autofocus
        openOnFocus={false}
      />
      <Select
        label={words.channel}
        required
        searchable
        data={withChosen(channelChoices(guild?.channels ?? []), draft.channelId, words.unknownChannel)}
        value={draft.channelId}
        onChange={(channelId) => onEdit({ channelId })}
      />
      <Switch
        label={words.showsNames}
        description={maySeePlayers ? undefined : words.namesNeedRight}
        checked={draft.showsNames}
        disabled={!maySeePlayers && !draft.showsNames}
        onChange={({ currentTarget }) => onEdit({ showsNames: currentTarget.checked })}
      />
      {shown.length > 0 && (
        <Fieldset legend={words.joins}>
          <Text size="sm" c="dimmed" mb="xs">
            {words.joinsHelp}
          </Text>
          <Stack gap="xs">
            {shown.map((server) => (
              <JoinFields
                key={server.id}
                server={server}
                joins={draft.joins}
                onJoins={(joins) => onEdit({ joins })}
              />
            ))}
          </Stack>
        </Fieldset>
      )}
      <Switch
        label={words.isEnabled}
        description={words.offText}
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => onEdit({ isEnabled: currentTarget.checked })}
      />
    </>
  );
};

interface JoinFieldsProps {
  readonly server: GameServer;
  readonly joins: readonly StatusJoin[];
  readonly onJoins: (joins: StatusJoin[]) => void;
}

const JoinFields = ({ server: { id, name }, joins, onJoins }: JoinFieldsProps) => {
  const words = useWords(statusMessagesWords);
  const own = joins.find(({ serverId }) => serverId === id) ?? { serverId: id, address: '', map: '' };
  const set = (edited: Partial<StatusJoin>) =>
    onJoins([...joins.filter(({ serverId }) => serverId !== id), { ...own, ...edited }]);
  return (
    <>
      <TextInput
        label={words.address(name)}
        description={words.addressHelp}
        maxLength={120}
        value={own.address}
        onChange={({ currentTarget }) => set({ address: currentTarget.value })}
      />
      <TextInput
        label={words.map(name)}
        maxLength={80}
        value={own.map}
        onChange={({ currentTarget }) => set({ map: currentTarget.value })}
      />
    </>
  );
};
