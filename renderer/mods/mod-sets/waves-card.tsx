import { Button, Group, Stack, Text } from '@mantine/core';
import type { ModWave } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, usePagedRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { FaultList } from '../mod-parts/fault-list.tsx';
import { JobLabel, JobReason } from '../mod-parts/job-view.tsx';
import { modPartsWords } from '../mod-parts/mod-parts.words.ts';
import classes from '../mod-parts/mod-rows.module.css';
import { SaidOfMods } from '../mod-parts/said-of-mods.tsx';
import { modsPageWords } from './mods-page.words.ts';

/** A rolling update continues by itself, from server to server. */
const everyMs = 5000;

const tones = {
  first: 'busy',
  others: 'busy',
  done: 'ok',
  stopped: 'bad',
  cancelled: 'idle',
} as const satisfies Record<ModWave['state'], Tone>;

/** Changes of several servers, the newest first. */
export const WavesCard = () => {
  const words = useWords(modsPageWords);
  const read = usePagedRead(modsHttp.waves, {}, { everyMs });
  const { rows } = read;
  return (
    <Card title={words.waves}>
      {read.error && rows.length === 0 ? (
        <Trouble error={read.error} onRetry={read.reload} />
      ) : read.isPending ? (
        <Loading />
      ) : rows.length === 0 ? (
        <EmptyState title={words.noWaves} text={words.noWavesText} example="items" />
      ) : (
        <ul className={classes.list} aria-label={words.waves}>
          {rows.map((wave) => (
            <WaveRow key={wave.id} wave={wave} />
          ))}
        </ul>
      )}
      {read.hasMore && (
        <Group>
          <Button size="xs" variant="default" loading={read.isLoadingMore} onClick={read.loadMore}>
            {words.more}
          </Button>
        </Group>
      )}
    </Card>
  );
};

const WaveRow = ({ wave }: { readonly wave: ModWave }) => {
  const words = useWords(modsPageWords);
  const parts = useWords(modPartsWords);
  const mayAct = useCan().somewhere('mods.write');
  const cancel = useChange(modsHttp.cancelWave, [modsHttp.waves]);
  const isUnderWay = wave.state === 'first' || wave.state === 'others';
  return (
    <li className={classes.row}>
      <Stack gap="xs" className={classes.what}>
        <div role={isUnderWay ? 'status' : undefined}>
          <StateLabel tone={tones[wave.state]}>
            <Text span fw={600}>
              {words.waveStates[wave.state]}
            </Text>
          </StateLabel>
        </div>
        <div className={classes.quiet}>
          <TimeAgo at={wave.requestedAt} />
          <bdi>{parts.by(wave.byName)}</bdi>
        </div>
        {wave.detail !== null && (
          <Text size="sm">
            <WhyStopped wave={wave} detail={wave.detail} />
          </Text>
        )}
        <ol className={classes.inner}>
          {wave.servers.map(({ serverId, name, job, faults, detail }, index) => (
            <li key={serverId} className={classes.row}>
              <Stack gap={2} className={classes.what}>
                <div>
                  <PanelLink to={`/servers/${encodeURIComponent(serverId)}/mods`}>
                    <bdi>{name}</bdi>
                  </PanelLink>
                  {index === 0 && wave.servers.length > 1 && (
                    <Text span size="sm" c="dimmed">
                      {' '}
                      {words.goesFirst}
                    </Text>
                  )}
                </div>
                {job ? (
                  <>
                    <JobLabel job={job} />
                    {(job.detail !== null || (job.result?.lines.length ?? 0) > 0) && (
                      <details>
                        <summary className={classes.summary}>{words.why}</summary>
                        <JobReason job={job} />
                      </details>
                    )}
                  </>
                ) : (
                  <Text size="sm" c="dimmed">
                    {detail === null ? (
                      isUnderWay ? (
                        words.waits
                      ) : (
                        words.notBegun
                      )
                    ) : (
                      <SaidOfMods detail={detail} />
                    )}
                  </Text>
                )}
                {faults.length > 0 && <FaultList faults={faults} />}
              </Stack>
            </li>
          ))}
        </ol>
        {cancel.error && <Trouble error={cancel.error} />}
      </Stack>
      {mayAct && isUnderWay && (
        <div className={classes.acts}>
          <Button
            size="xs"
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ params: { id: wave.id } })}
          >
            {words.cancelWave}
          </Button>
        </div>
      )}
    </li>
  );
};

/** Which server stopped the others, and why: the API sends both in one text. */
const WhyStopped = ({ wave, detail }: { readonly wave: ModWave; readonly detail: string }) => {
  const named = wave.servers.find(({ name }) => detail.startsWith(`${name}: `));
  if (!named) return <SaidOfMods detail={detail} />;
  return (
    <>
      <bdi>{named.name}</bdi>: <SaidOfMods detail={detail.slice(named.name.length + 2)} />
    </>
  );
};
