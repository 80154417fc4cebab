import { Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useRoute } from 'wouter';
import type { ModSet } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../kit/access/access-state.ts';
import { queryClient, readKey, useChange, useRead } from '../kit/api/queries.ts';
import { sendChange } from '../kit/api/send-change.ts';
import { useSending } from '../kit/api/use-sending.ts';
import { AddButton } from '../kit/design/add-button.tsx';
import { AsyncContent } from '../kit/design/async-content.tsx';
import { Card } from '../kit/design/card.tsx';
import { ConfirmAction } from '../kit/design/confirm-action.tsx';
import { EmptyState } from '../kit/design/empty-state.tsx';
import { FormDialog } from '../kit/design/form-dialog.tsx';
import { notifyDone } from '../kit/design/notify.ts';
import { Page as Frame } from '../kit/design/page.tsx';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { TimeAgo } from '../kit/design/time-ago.tsx';
import { Together } from '../kit/design/together.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { goTo } from '../kit/routing/use-hash-location.ts';
import { useLiveServers } from '../servers/use-live-servers.ts';
import { modPartsWords } from './mod-parts/mod-parts.words.ts';
import classes from './mod-parts/mod-rows.module.css';
import { RunOptions, useRunOptions } from './mod-parts/run-options.tsx';
import { modsPageWords } from './mod-sets/mods-page.words.ts';
import { ServersCard } from './mod-sets/servers-card.tsx';
import { SetPage } from './mod-sets/set-page.tsx';
import { WavesCard } from './mod-sets/waves-card.tsx';

/** Asks which servers are changed, and which of them goes first. */
const WaveDialog = ({
  set,
  onClose,
}: {
  /** Null: updates all mods of the servers. */
  readonly set: ModSet | null;
  readonly onClose: () => void;
}) => {
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

const everyMs = 15_000;

/** Sets of mods that can be put on several servers. */
const SetsCard = ({ onApply }: { readonly onApply: (set: ModSet) => void }) => {
  const words = useWords(modsPageWords);
  const parts = useWords(modPartsWords);
  const mayAct = useCan().somewhere('mods.write');
  const read = useRead(modsHttp.sets, {}, { everyMs });
  const remove = useChange(modsHttp.deleteSet, [modsHttp.sets]);
  const [going, setGoing] = useState<ModSet | null>(null);
  const create = mayAct && (
    <AddButton size="xs" variant="default" onClick={() => goTo('/mods/sets/new')}>
      {words.newSet}
    </AddButton>
  );
  return (
    <Card title={words.sets} actions={read.data && read.data.rows.length > 0 && create}>
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={words.noSets} text={words.noSetsText} action={create} example="items" />
          ) : (
            <>
              <Text size="sm" c="dimmed">
                {words.setsText}
              </Text>
              <ul className={classes.list} aria-label={words.sets}>
                {rows.map((set) => (
                  <li key={set.id} className={classes.row}>
                    <div className={classes.what}>
                      <PanelLink to={`/mods/sets/${set.id}`} fw={600}>
                        <bdi>{set.name}</bdi>
                      </PanelLink>
                      <div className={classes.quiet}>
                        <span>{games[set.game].name}</span>
                        <span>{parts.count(set.items.length)}</span>
                        <span>
                          {parts.updatedAt} <TimeAgo at={set.changedAt} />
                        </span>
                        <bdi>{words.changedBy(set.changedByName)}</bdi>
                      </div>
                    </div>
                    {mayAct && (
                      <div className={classes.acts}>
                        <Button
                          size="xs"
                          variant="default"
                          aria-label={words.applyOf(set.name)}
                          onClick={() => onApply(set)}
                        >
                          {words.apply} …
                        </Button>
                        <Button
                          size="xs"
                          variant="subtle"
                          color="gray"
                          aria-label={words.removeOf(set.name)}
                          onClick={() => setGoing(set)}
                        >
                          {words.remove} …
                        </Button>
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </AsyncContent>
      {going && (
        <ConfirmAction
          title={words.removeTitle(going.name)}
          act={words.remove}
          onAction={() => remove.mutateAsync({ params: { id: going.id } })}
          doneText={words.deleted(going.name)}
          onClose={() => setGoing(null)}
        >
          {words.removeText}
        </ConfirmAction>
      )}
    </Card>
  );
};

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/mods/sets/:id');
  return isOne ? <SetPage key={params.id} id={params.id} /> : <AllMods />;
};

/** Mods across servers: an overview, sets, and server-by-server changes. */
const AllMods = () => {
  const words = useWords(modsPageWords);
  const mayAct = useCan().somewhere('mods.write');
  const [wave, setWave] = useState<{ readonly set: ModSet | null } | null>(null);
  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        mayAct && (
          <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setWave({ set: null })}>
            {words.startWave} …
          </Button>
        )
      }
    >
      <Together>
        <ServersCard />
        <SetsCard onApply={(set) => setWave({ set })} />
        <WavesCard />
      </Together>
      {wave && <WaveDialog set={wave.set} onClose={() => setWave(null)} />}
    </Frame>
  );
};
