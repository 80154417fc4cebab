import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clustersHttp } from '#contracts/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { notifyDone } from '../../../design/notify.ts';
import { Trouble } from '../../../design/trouble.tsx';
import { useWords } from '../../../language/use-words.ts';
import { ApiProblem } from '../../../wire/api-problem.ts';
import { call } from '../../../wire/call.ts';
import { readKey, useRead } from '../../../wire/queries.ts';
import { ConnectionReportView } from '../connection-report.tsx';
import { ReachFields } from '../reach-fields.tsx';
import { changeOf, draftOf, goesElsewhere, type ServerDraft } from '../server-draft.ts';
import { serversWords } from '../servers.words.ts';
import { useConnectionTest } from '../use-connection-test.ts';
import { Conflict } from './conflict.tsx';
import { PasswordFields } from './password-fields.tsx';
import { settingsWords } from './settings.words.ts';

/** Changes a server; what somebody else has changed meanwhile is shown beside it, and nothing typed is lost. */
export const ServerForm = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(settingsWords);
  const form = useWords(serversWords).form;
  const client = useQueryClient();
  /** What the typing began with. */
  const [base, setBase] = useState(server);
  const [draft, setDraft] = useState(() => draftOf(server));
  const [theirs, setTheirs] = useState<GameServer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  const clusters = useRead(clustersHttp.list, { query: { archived: 'true' } }).data?.rows ?? [];
  const tested = useConnectionTest(draft, base);

  const body = changeOf(draft, base);
  const isChanged = Object.keys(body).length > 1;
  // As long as nothing is typed, the form shows what the server is now.
  if (!isChanged && server.version > base.version && !isSaving) {
    setBase(server);
    setDraft(draftOf(server));
  }
  const mustGive = base.hasPassword && goesElsewhere(draft, base);
  const change = (changes: Partial<ServerDraft>) => {
    setError(null);
    setDraft((now) => {
      const next = { ...now, ...changes };
      const cannotKeep = base.hasPassword && goesElsewhere(next, base) && next.passwordChoice === 'keep';
      return cannotKeep ? { ...next, passwordChoice: 'new' } : next;
    });
  };
  const begin = (from: GameServer) => {
    setBase(from);
    setDraft(draftOf(from));
    setTheirs(null);
    setError(null);
  };

  const isReachChanged = 'host' in body || 'port' in body || 'password' in body;
  const isRefused = tested.error !== null || (tested.report !== null && tested.report.outcome !== 'answered');
  const save = async (version: number) => {
    setIsSaving(true);
    setError(null);
    try {
      if (isReachChanged && tested.isPossible && !tested.report && !tested.error) {
        const report = await tested.test();
        if (report?.outcome !== 'answered') return;
      }
      const input = { params: { id: base.id }, body: changeOf(draft, base, version) };
      const saved = await call(gameServersHttp.change, input);
      client.setQueryData(readKey(gameServersHttp.read, { params: { id: base.id } }), saved);
      void client.invalidateQueries({ queryKey: readKey(gameServersHttp.list) });
      begin(saved);
      notifyDone(words.saved);
    } catch (failure) {
      const isConflict = failure instanceof ApiProblem && failure.code === 'CONFLICT';
      const now = isConflict
        ? await call(gameServersHttp.read, { params: { id: base.id } }).catch(() => null)
        : null;
      setTheirs(now);
      setError(now ? null : failure);
    } finally {
      setIsSaving(false);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSaving && isChanged) void save(base.version);
      }}
    >
      <Stack maw="44rem">
        <Group align="flex-start" grow>
          <TextInput
            label={form.name}
            value={draft.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            required
            maxLength={80}
          />
          <NativeSelect
            label={form.cluster}
            value={draft.clusterId}
            onChange={({ currentTarget }) => change({ clusterId: currentTarget.value })}
            data={clusters
              .filter(({ id, archivedAt }) => archivedAt === null || id === draft.clusterId)
              .map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Group>
        <ReachFields draft={draft} onChange={change} />
        {draft.reach === 'direct' && (
          <PasswordFields
            draft={draft}
            hasPassword={base.hasPassword}
            mustGive={mustGive}
            onChange={change}
          />
        )}
        <ConnectionReportView tested={tested} />
        {error !== null && <Trouble error={error} />}
        {theirs && (
          <Conflict
            theirs={theirs}
            yours={draft}
            clusters={clusters}
            isSaving={isSaving}
            onKeepMine={() => save(theirs.version)}
            onTakeTheirs={() => begin(theirs)}
          />
        )}
        <Group gap="xs">
          <Button type="submit" loading={isSaving} disabled={!isChanged}>
            {isRefused && isReachChanged ? words.saveAnyway : words.save}
          </Button>
          {tested.isPossible && (
            <Button variant="default" loading={tested.isTesting && !isSaving} onClick={tested.test}>
              {form.test}
            </Button>
          )}
          {isChanged && (
            <Button variant="subtle" color="gray" onClick={() => begin(theirs ?? server)}>
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
