import { Button, Group, SegmentedControl, SimpleGrid, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Format } from '#contracts/kernel/format.ts';
import type { MetricSeries } from '#contracts/operations/metric-history.ts';
import type { Waiting } from '#contracts/operations/waiting.ts';
import { waitingWords } from '#contracts/operations/waiting-words.ts';
import { agentsHttp } from '#contracts/servers/agents.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useLiveState } from '../../kit/api/live.ts';
import { useRead } from '../../kit/api/queries.ts';
import { TimeChart } from '../../kit/charts/time-chart.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { LoadingChart } from '../../kit/design/loading-shapes.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { ToneSign } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Together } from '../../kit/design/together.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { hrefOf } from '../../kit/routing/hash-location.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { LastKnown } from '../../operations/last-known.tsx';
import { useStackHealth } from '../../operations/stack-health/use-stack-health.ts';
import { useWaiting } from '../../operations/waiting/use-waiting.ts';
import { wasThere } from './counts.ts';
import { FiguresStrip } from './figures-strip.tsx';
import { JustNow } from './just-now.tsx';
import { type MetricName, metricNames, seriesOf } from './metric-points.ts';
import classes from './overview.module.css';
import { overviewWords } from './overview.words.ts';
import { ServersSection } from './servers-section.tsx';
import { SystemSection } from './system-section.tsx';
import { spanNames, spanOf, useMetricHistory } from './use-metric-history.ts';
import { useServersNow } from './use-servers-now.ts';
import { Verdict } from './verdict.tsx';

const formatOf = (format: Format, name: MetricName) => (value: number) =>
  name === 'databaseMs' ? format.milliseconds(value) : format.number(value);

const FigureChart = ({ name, figures }: { readonly name: MetricName; readonly figures: MetricSeries }) => {
  const words = useWords(overviewWords);
  const format = formatOf(useFormat(), name);
  const series = useMemo(() => seriesOf(figures, name), [figures, name]);
  const newest = series.values.at(-1);
  const { title, help } = words.figures[name];
  return (
    <Card
      title={title}
      actions={
        <Text fw={600} {...(typeof newest !== 'number' && { c: 'dimmed' })} size="sm">
          {typeof newest === 'number' ? format(newest) : words.unknownNow}
        </Text>
      }
    >
      <Text size="xs" c="dimmed">
        {help}
      </Text>
      <TimeChart
        label={title}
        series={series}
        format={format}
        shape={name === 'events' ? 'bars' : 'line'}
        isWhole={name !== 'databaseMs'}
      />
    </Card>
  );
};

/** The stack's figures over the last hour, day or month. */
const MetricsSection = () => {
  const words = useWords(overviewWords);
  const { values, set } = useSearchState();
  const span = spanOf(values.span);
  const { read, lastKnownAt } = useMetricHistory(span);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={2}>{words.overTime}</Title>
        <SegmentedControl
          size="xs"
          aria-label={words.span}
          value={span}
          onChange={(chosen) => set({ span: chosen === 'hour' ? '' : chosen })}
          data={spanNames.map((name) => ({ value: name, label: words.spans[name] }))}
        />
      </Group>
      {lastKnownAt && <LastKnown at={lastKnownAt} />}
      <AsyncContent read={read} loading={<LoadingChart />}>
        {(known) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            {metricNames.map((name) => (
              <FigureChart key={`${name} ${span}`} name={name} figures={known} />
            ))}
          </SimpleGrid>
        )}
      </AsyncContent>
    </>
  );
};

/** Everything that waits for a person, each with the page where it ends. */
const NeedsYou = ({ waiting }: { readonly waiting: Waiting | undefined }) => {
  const words = useWords(overviewWords);
  const { things } = useWords(waitingWords);
  const isLive = useLiveState() === 'live';
  return (
    <Card title={words.needsYou}>
      {!waiting || !isLive ? (
        <Text c="dimmed">{words.notKnownNow}</Text>
      ) : waiting.rows.length === 0 ? (
        <Text c="dimmed">{words.nothingWaits}</Text>
      ) : (
        <ul className={classes.rows}>
          {waiting.rows.map(({ kind, count, since, tone, to }) => (
            <li key={kind} className={classes.need}>
              <ToneSign tone={tone} />
              <PanelLink to={to}>{things[kind](count)}</PanelLink>
              {since !== null && (
                <Text size="xs" c="dimmed" component="span">
                  {words.since} <TimeAgo at={since} />
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
};

const useHint = create<{ readonly isHidden: boolean }>()(
  persist(() => ({ isHidden: false as boolean }), { name: 'castellan.first-steps-hint', version: 1 }),
);

const newestDelivered = { query: { state: 'delivered', limit: 1 } } as const;

/** Links to the first steps while they are not done: no server answers, no agent has ever connected, or no item has arrived. */
const FirstStepsHint = ({ servers }: { readonly servers: readonly GameServer[] | undefined }) => {
  const words = useWords(overviewWords);
  const can = useCan();
  const mayAdd = can('servers.write');
  const maySell = can('orders.read');
  const isHidden = useHint((hint) => hint.isHidden);
  const agents = useRead(agentsHttp.list, {}, { enabled: mayAdd && !isHidden });
  const delivered = useRead(deliveriesHttp.list, newestDelivered, {
    enabled: mayAdd && maySell && !isHidden,
  });
  if (!mayAdd || isHidden || !servers || !agents.data || (maySell && !delivered.data)) return null;
  const hasDelivered = delivered.data === undefined || delivered.data.rows.length > 0;
  const isDone =
    servers.some(({ status }) => status.state === 'online') &&
    agents.data.rows.some(wasThere) &&
    hasDelivered;
  if (isDone) return null;
  return (
    <Card title={words.hintTitle}>
      <Text>{words.hint}</Text>
      <Group gap="sm">
        <Button component="a" size="compact-sm" href={hrefOf('/first-steps')}>
          {words.hintLink}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => useHint.setState({ isHidden: true })}
        >
          {words.hintHide}
        </Button>
      </Group>
    </Card>
  );
};

/** Whether anything is wrong, who is playing, and what waits for a person; as far as the reader may see it. */
export const Page = () => {
  const words = useWords(overviewWords);
  const can = useCan();
  const servers = useServersNow();
  // Polled in addition to live updates: a verdict must not depend on a connection that is open but delivers nothing.
  const health = useStackHealth({ isPolled: true });
  const waiting = useWaiting();
  const seesStack = can('stack.read');
  const seesServers = can.somewhere('servers.read');
  const seesAll = can('servers.read') && waiting.data?.isWhole === true;
  const rows = servers.read.data?.rows;
  const serverName = (id: string) => rows?.find((server) => server.id === id)?.name ?? null;
  return (
    <Frame title={words.title}>
      <Together
        reads={[waiting, ...(seesServers ? [servers.read] : []), ...(seesStack ? [health.read] : [])]}
      >
        {(seesStack || seesServers) && (
          <Verdict
            health={health.read.data}
            servers={rows ?? []}
            waiting={waiting.data}
            scope={seesStack ? (seesAll ? 'all' : 'stack') : 'servers'}
            isRead={(!seesStack || health.read.data !== undefined) && (!seesServers || rows !== undefined)}
            isUnreadable={
              waiting.error !== null ||
              (seesStack && health.read.error !== null) ||
              (seesServers && servers.read.error !== null)
            }
            lastKnownAt={health.lastKnownAt ?? servers.lastKnownAt}
          />
        )}
        <FirstStepsHint servers={rows} />
        <FiguresStrip servers={rows} />
        <div className={classes.columns}>
          <div className={classes.column}>
            {seesServers && <ServersSection servers={servers} />}
            {seesStack && <SystemSection health={health} />}
            {seesStack && (
              <div className={classes.metrics}>
                <MetricsSection />
              </div>
            )}
          </div>
          <div className={classes.column}>
            <NeedsYou waiting={waiting.data} />
            {can('events.read') && <JustNow serverName={serverName} />}
          </div>
        </div>
      </Together>
    </Frame>
  );
};
