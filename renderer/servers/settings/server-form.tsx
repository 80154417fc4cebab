import { Button, Group, NativeSelect, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type Cluster, clustersHttp } from '#contracts/servers/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import { call } from '../../kit/api/call.ts';
import { readKey, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { ConflictNotice } from '../../kit/design/conflict-notice.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { LooseEndsHint } from '../../kit/forms/loose-ends-hint.tsx';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { serversWords } from '../game-servers/servers.words.ts';
import { ConnectionFields } from './connection-fields.tsx';
import { ConnectionReportView } from './connection-report.tsx';
import {
  afterSaving,
  changeOf,
  draftOf,
  goesElsewhere,
  isSameDraft,
  type PasswordChoice,
  portOf,
  type ServerDraft,
  withChanges,
} from './server-draft.ts';
import { keepEdit, presentEdit, useEdit } from './server-edits.ts';
import { settingsWords } from './settings.words.ts';
import { useConnectionTest } from './use-connection-test.ts';

const passwordChoices = ['keep', 'new', 'none'] as const satisfies readonly PasswordChoice[];

const PasswordFields = (props: {
  readonly draft: ServerDraft;
  readonly hasPassword: boolean;
  /** The stored one must not be used at the new address. */
  readonly mustGive: boolean;
  readonly onChange: (changes: Partial<ServerDraft>) => void;
}) => {
  const { draft, hasPassword, mustGive, onChange } = props;
  const words = useWords(settingsWords).password;
  const shown = passwordChoices.filter((choice) => choice !== 'keep' || hasPassword);
  return (
    <>
      <Radio.Group
        label={words.label}
        value={draft.passwordChoice}
        onChange={(value) =>
          onChange({
            passwordChoice: passwordChoices.find((choice) => choice === value) ?? draft.passwordChoice,
          })
        }
      >
        <Stack gap="xs" mt="xs">
          {shown.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={words[choice]}
              {...(choice === 'keep' && mustGive && { disabled: true, description: words.keepNot })}
            />
          ))}
        </Stack>
      </Radio.Group>
      {draft.passwordChoice === 'new' && (
        <div>
          <PasswordInput
            label={words.field}
            value={draft.password}
            onChange={({ currentTarget }) => onChange({ password: currentTarget.value })}
            required
            maxLength={200}
            autoComplete="off"
          />
          <LooseEndsHint text={draft.password} />
        </div>
      )}
    </>
  );
};

const comparedFields = ['name', 'clusterId', 'host', 'port'] as const;

/** Another admin's changes to the server, next to what is typed here. */
const Conflict = (props: {
  /** The server when the typing began. */
  readonly base: GameServer;
  readonly theirs: GameServer;
  /** What saving mine would change in theirs. */
  readonly change: ReturnType<typeof changeOf>;
  readonly clusters: readonly Cluster[];
  readonly isSaving: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}) => {
  const { base, theirs, change, clusters, isSaving, onKeepMine, onTakeTheirs } = props;
  const { conflict: words, fields } = useWords(settingsWords);
  const textOf = (name: (typeof comparedFields)[number], value: string | number | null) =>
    name === 'clusterId'
      ? (clusters.find(({ id }) => id === value)?.name ?? String(value))
      : String(value ?? fields.none);
  const differences = comparedFields.filter((name) => theirs[name] !== base[name] || name in change);
  const collide = comparedFields.some((name) => theirs[name] !== base[name] && name in change);
  return (
    <ConflictNotice
      title={words.title}
      isSaving={isSaving}
      onTakeTheirs={onTakeTheirs}
      onKeepMine={onKeepMine}
    >
      <Text>{words.text}</Text>
      {!collide && <Text>{words.same}</Text>}
      <Facts
        facts={differences.map((name) => ({
          label: fields[name],
          value: (
            <>
              {words.theirs}: <bdi>{textOf(name, theirs[name])}</bdi>
              {name in change && (
                <>
                  <br />
                  {words.yours}: <bdi>{textOf(name, change[name] ?? null)}</bdi>
                </>
              )}
            </>
          ),
        }))}
      />
    </ConflictNotice>
  );
};

/** Changes a server; another admin's changes are shown next to the input, and nothing typed is lost. */
export const ServerForm = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(settingsWords);
  const labels = useWords(serversWords).form;
  const client = useQueryClient();
  // Until something is typed, the form shows the current server.
  const { base, draft } = useEdit(server.id) ?? { base: server, draft: draftOf(server) };
  const clusters = useRead(clustersHttp.list, { query: { archived: 'true' } }).data?.rows ?? [];
  const tested = useConnectionTest(draft, base);

  const body = changeOf(draft, base);
  const isChanged = Object.keys(body).length > 1;
  const mustGive = base.hasPassword && goesElsewhere(draft, base);
  const keep = (next: ServerDraft, from: GameServer) =>
    keepEdit(server.id, isSameDraft(next, draftOf(from)) ? null : { base: from, draft: next });
  const change = (changes: Partial<ServerDraft>) => {
    form.clear();
    keep(withChanges(draft, base, changes), base);
  };
  const take = () => {
    keepEdit(server.id, null);
    form.takeTheirs();
  };

  const isReachChanged = 'host' in body || 'port' in body || 'password' in body;
  const isRefused = tested.error !== null || (tested.report !== null && tested.report.outcome !== 'answered');
  const params = { id: server.id };
  const show = (now: GameServer) => client.setQueryData(readKey(gameServersHttp.read, { params }), now);
  const form = useVersionedForm<GameServer, GameServer>({
    version: base.version,
    newest: server,
    async send(_version, theirs) {
      if (isReachChanged && tested.isPossible && !tested.report && !tested.error) {
        const report = await tested.test();
        if (report?.outcome !== 'answered') return null;
      }
      const body = changeOf(draft, base, theirs ?? base);
      const saved = await sendChange(gameServersHttp.change, { params, body });
      show(saved);
      for (const read of [gameServersHttp.list, chatTrustHttp.list])
        void client.invalidateQueries({ queryKey: readKey(read) });
      keep(afterSaving(presentEdit(server.id)?.draft ?? draft, draft, saved), saved);
      notifyDone(words.saved);
      return saved;
    },
    readNewest: () => call(gameServersHttp.read, { params }).then(show, () => undefined),
  });
  const { isSaving, theirs } = form;
  const errorOf = useFieldErrors(form.error);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSaving && isChanged) void form.save();
      }}
    >
      <Stack maw="44rem">
        <Group align="flex-start" grow>
          <TextInput
            label={labels.name}
            error={errorOf('name')}
            value={draft.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            required
            maxLength={80}
          />
          <NativeSelect
            label={labels.cluster}
            value={draft.clusterId}
            onChange={({ currentTarget }) => change({ clusterId: currentTarget.value })}
            data={clusters
              .filter(({ id, archivedAt }) => archivedAt === null || id === draft.clusterId)
              .map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Group>
        <ConnectionFields draft={draft} onChange={change} error={form.error} />
        {draft.reach === 'direct' && (
          <PasswordFields
            draft={draft}
            hasPassword={base.hasPassword}
            mustGive={mustGive}
            onChange={change}
          />
        )}
        {draft.reach === 'agent' && base.hasPassword && portOf(draft) !== base.port && (
          <Text size="sm">{words.password.forgotten}</Text>
        )}
        <ConnectionReportView tested={tested} />
        {form.error !== null && <Trouble error={form.error} />}
        {theirs && (
          <Conflict
            base={base}
            theirs={theirs}
            change={changeOf(draft, base, theirs)}
            clusters={clusters}
            isSaving={isSaving}
            onKeepMine={form.keepMine}
            onTakeTheirs={take}
          />
        )}
        <Group gap="xs">
          <Button type="submit" loading={isSaving} disabled={!isChanged}>
            {isRefused && isReachChanged ? words.saveAnyway : words.save}
          </Button>
          {tested.isPossible && (
            <Button variant="default" loading={tested.isTesting && !isSaving} onClick={tested.test}>
              {labels.test}
            </Button>
          )}
          {isChanged && (
            <Button variant="subtle" color="gray" onClick={take}>
              {words.undo}
            </Button>
          )}
          {!isChanged && (
            <Text size="sm" c="dimmed">
              {words.unchanged}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
};
