import { Button, Group, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Cluster, clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { gameIds, games } from '#contracts/servers/games.ts';
import { useChange } from '../../kit/api/queries.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { LooseEndsHint } from '../../kit/forms/loose-ends-hint.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { ConnectionFields } from '../settings/connection-fields.tsx';
import { ConnectionReportView } from '../settings/connection-report.tsx';
import { creationOf, newDraft, type ServerDraft } from '../settings/server-draft.ts';
import { useConnectionTest } from '../settings/use-connection-test.ts';
import { serversWords } from './servers.words.ts';

/** In place of a cluster's id: the cluster is created with the server. */
const another = '';

/** Adds a server; a connection that does not work is reported before anything is saved. */
export const NewServerDialog = ({
  clusters,
  onClose,
}: {
  readonly clusters: readonly Cluster[];
  readonly onClose: () => void;
}) => {
  const words = useWords(serversWords).form;
  const inUse = clusters.filter(({ archivedAt }) => archivedAt === null);
  const [draft, setDraft] = useState(() => newDraft(inUse[0]?.id ?? another));
  const [clusterName, setClusterName] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  const createCluster = useChange(clustersHttp.create, [clustersHttp.list]);
  const create = useChange(gameServersHttp.create, [gameServersHttp.list]);
  const isOfCluster = error !== null && error === createCluster.error;
  const errorOf = useFieldErrors(isOfCluster ? null : error);
  const clusterErrorOf = useFieldErrors(isOfCluster ? error : null);
  const tested = useConnectionTest(draft, null);
  const change = (changes: Partial<ServerDraft>) => setDraft((now) => ({ ...now, ...changes }));
  const isRefused = tested.error !== null || (tested.report !== null && tested.report.outcome !== 'answered');

  const save = async () => {
    setIsSaving(true);
    setError(null);
    try {
      if (tested.isPossible && !tested.report && !tested.error) {
        const report = await tested.test();
        if (report?.outcome !== 'answered') return;
      }
      let { clusterId } = draft;
      if (clusterId === another) {
        ({ id: clusterId } = await createCluster.mutateAsync({ body: { name: clusterName } }));
        // The server may still be refused; the cluster exists from here on.
        change({ clusterId });
      }
      const server = await create.mutateAsync({ body: creationOf({ ...draft, clusterId }) });
      notifyDone(words.added(server.name));
      // Going back then leads to the list, not to this form.
      onClose();
      goTo(`/servers/${encodeURIComponent(server.id)}`);
    } catch (failure) {
      setError(failure);
    } finally {
      setIsSaving(false);
    }
  };

  return (
    <FormDialog
      title={useWords(serversWords).create}
      size="lg"
      act={isRefused ? words.addAnyway : words.add}
      isActing={isSaving}
      error={error}
      onSubmit={() => void save()}
      onClose={onClose}
      note={tested.isPossible && !tested.report && words.willTest}
      otherActs={
        tested.isPossible && (
          <Button variant="default" loading={tested.isTesting && !isSaving} onClick={tested.test}>
            {words.test}
          </Button>
        )
      }
    >
      <TextInput
        label={words.name}
        placeholder={words.namePlaceholder}
        error={errorOf('name')}
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        required
        maxLength={80}
        data-autofocus
      />
      <Group align="flex-start" grow>
        <NativeSelect
          label={words.game}
          value={draft.game}
          onChange={({ currentTarget }) =>
            change({ game: gameIds.find((id) => id === currentTarget.value) ?? draft.game })
          }
          data={gameIds.map((value) => ({ value, label: games[value].name }))}
        />
        <NativeSelect
          label={words.cluster}
          value={draft.clusterId}
          onChange={({ currentTarget }) => change({ clusterId: currentTarget.value })}
          data={[
            ...inUse.map(({ id, name }) => ({ value: id, label: name })),
            { value: another, label: words.newCluster },
          ]}
        />
      </Group>
      {draft.clusterId === another && (
        <TextInput
          label={words.newClusterName}
          error={clusterErrorOf('name')}
          value={clusterName}
          onChange={({ currentTarget }) => setClusterName(currentTarget.value)}
          required
          maxLength={80}
        />
      )}
      <ConnectionFields draft={draft} onChange={change} error={error} />
      {draft.reach === 'direct' && (
        <div>
          <PasswordInput
            label={words.password}
            description={words.passwordHint}
            value={draft.password}
            onChange={({ currentTarget }) => change({ password: currentTarget.value })}
            maxLength={200}
            autoComplete="off"
          />
          <LooseEndsHint text={draft.password} />
        </div>
      )}
      <ConnectionReportView tested={tested} />
    </FormDialog>
  );
};
