import { Fieldset, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { BotGuild } from '#contracts/discord/discord-events.ts';
import {
  discordStatusHttp,
  type NewStatusMessage,
  type StatusJoin,
  type StatusMessage,
  type StatusTarget,
} from '#contracts/discord/discord-status.ts';
import type { Cluster } from '#contracts/servers/clusters.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { DraftDialog } from '../../kit/forms/draft-dialog.tsx';
import { useDraftForm } from '../../kit/forms/use-draft-form.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { channelChoices, withChosen } from '../discord-parts/channel-choices.ts';
import { discordWords } from '../discord-parts/discord.words.ts';
import { statusMessagesWords } from './status-messages.words.ts';

/** What a message may be about, and where it may be posted. */
export interface StatusPlaces {
  readonly guild: BotGuild | null;
  readonly servers: readonly GameServer[];
  readonly clusters: readonly Cluster[];
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

/** Null: the channel or the subject is missing. */
const bodyOf = ({ channelId, target, joins, ...typed }: Draft): NewStatusMessage | null => {
  if (channelId === null || target === null) return null;
  const told = joins.filter(({ address, map }) => address.trim() !== '' || map.trim() !== '');
  return { ...typed, channelId, target, joins: told };
};

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
export const StatusMessageDialog = (props: {
  /** Its state when the change began; null: a new one. */
  readonly begun: StatusMessage | null;
  /** Its current state; undefined if another admin has removed it. */
  readonly newest: StatusMessage | undefined;
  readonly places: StatusPlaces;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { begun, newest, places, readNewest, onClose } = props;
  const words = useWords(statusMessagesWords);
  const create = useChange(discordStatusHttp.create, [discordStatusHttp.list]);
  const change = useChange(discordStatusHttp.change, [discordStatusHttp.list]);
  const form = useDraftForm({
    begun,
    newest,
    readNewest,
    draftOf,
    bodyOf,
    send: (body, version) =>
      begun
        ? change.mutateAsync({ params: { id: begun.id }, body: { version, ...body } })
        : create.mutateAsync({ body }),
    savedText: words.saved,
    onClose,
  });
  return (
    <DraftDialog
      form={form}
      words={words}
      theirs={({ target, showsNames, isEnabled }) => (
        <Text>
          {words.target}: {nameOfTarget(target, places) ?? words.unknownTarget}
          <br />
          {showsNames ? words.withNames : words.withoutNames}
          <br />
          {words.isEnabled}: {isEnabled ? words.on : words.off}
        </Text>
      )}
      onClose={onClose}
    >
      <MessageFields draft={form.draft} places={places} onEdit={form.edit} />
    </DraftDialog>
  );
};

const MessageFields = (props: {
  readonly draft: Draft;
  readonly places: StatusPlaces;
  readonly onEdit: (edited: Partial<Draft>) => void;
}) => {
  const { draft, places, onEdit } = props;
  const words = useWords(statusMessagesWords);
  const { channelHint } = useWords(discordWords);
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
        description={channelHint}
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
