import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ModSet } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { useCan } from '../kit/access/access-state.ts';
import { queryClient, readKey, useRead } from '../kit/api/queries.ts';
import { sendChange } from '../kit/api/send-change.ts';
import { useSending } from '../kit/api/use-sending.ts';
import { FormDialog } from '../kit/design/form-dialog.tsx';
import { notifyDone } from '../kit/design/notify.ts';
import { useWords } from '../kit/language/use-words.ts';
import { useLiveServers } from '../servers/use-live-servers.ts';
import { RunOptions, useRunOptions } from './mod-parts/run-options.tsx';
import { modsPageWords } from './mods-page.words.ts';

interface WaveDialogProps {
  /** Null: updates all mods of the servers. */
  readonly set: ModSet | null;
  readonly onClose: () => void;
}

/** Asks which servers are changed, and which of them goes first. */
export const WaveDialog = ({ set, onClose }: WaveDialogProps) => {
  const words = useWords(modsPageWords);
  const can = useCan();
  const all = (useLiveServers().data?.rows ?? []).filter(
    ({ id, game }) => can('mods.write', id) && (set === null || game === set.game),
  );
  const clusters = useRead(clustersHttp.list, {}, { enabled: can.somewhere('servers.read') });
  const [cluster, setCluster] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [wantedFirst, setWantedFirst] = useState('');
  const [removeOthers, setRemoveOthers] = useState(false);
  const options = useRunOptions(null);
  const { begin, isRunning, error } = useBeginWave();
  const offered = all.filter(({ clusterId }) => cluster === '' || clusterId === cluster);
  const chosen = offered.filter(({ id }) => !left.has(id));
  const first = chosen.find(({ id }) => id === wantedFirst) ?? chosen[0];
  return (
    <FormDialog
      title={<bdi>{set ? words.applySet(set.name) : words.startWave}</bdi>}
      size="lg"
      act={words.begin(chosen.length)}
      isActing={isRunning}
      isReady={first !== undefined}
      error={error}
      onSubmit={() => {
        if (!first) return;
        const servers = [first, ...chosen.filter(({ id }) => id !== first.id)].map(({ id }) => id);
        const wish = set
          ? ({ do: 'set', set: set.id, removeOthers } as const)
          : ({ do: 'update-all' } as const);
        void begin({ servers, wish, ...options.value }).then((isBegun) => {
          if (!isBegun) return;
          notifyDone(words.begun);
          onClose();
        });
      }}
      onClose={onClose}
    >
      <Text size="sm">{words.noWavesText}</Text>
      <Text size="sm">
        {words.backup} {!set && words.asUsual}
      </Text>
      {set && (
        <Checkbox
          label={words.removeOthers}
          checked={removeOthers}
          onChange={({ currentTarget }) => setRemoveOthers(currentTarget.checked)}
        />
      )}
      {(clusters.data?.rows.length ?? 0) > 1 && (
        <NativeSelect
          label={words.cluster}
          value={cluster}
          onChange={({ currentTarget }) => setCluster(currentTarget.value)}
          data={[
            { value: '', label: words.anyCluster },
            ...(clusters.data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {offered.length === 0 ? (
        <Text>{words.noneFits}</Text>
      ) : (
        <Checkbox.Group
          label={words.which}
          value={chosen.map(({ id }) => id)}
          onChange={(ids) => setLeft(new Set(offered.map(({ id }) => id).filter((id) => !ids.includes(id))))}
        >
          <Stack gap="xs" mt="xs">
            {offered.map(({ id, name }) => (
              <Checkbox key={id} value={id} label={<bdi>{name}</bdi>} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {first && chosen.length > 1 && (
        <NativeSelect
          label={words.first}
          description={words.firstHelp}
          value={first.id}
          onChange={({ currentTarget }) => setWantedFirst(currentTarget.value)}
          data={chosen.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <RunOptions options={options} />
    </FormDialog>
  );
};

type WaveBody = Parameters<typeof sendChange<typeof modsHttp.beginWave>>[1]['body'];

const useBeginWave = () =>
  useSending((body: WaveBody, options) =>
    sendChange(modsHttp.beginWave, { body }, options).finally(
      () => void queryClient.invalidateQueries({ queryKey: readKey(modsHttp.waves) }),
    ),
  );
