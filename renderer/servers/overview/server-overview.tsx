import { Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { MetricSpan } from '#contracts/operations/metric-history.ts';
import type { MachineFacts } from '#contracts/servers/agent-tasks.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { ServerPower } from '#contracts/servers/power.ts';
import { type ServerSeries, serverFiguresHttp, serverSpans } from '#contracts/servers/server-figures.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useRead } from '../../kit/api/queries.ts';
import { TimeChart } from '../../kit/charts/time-chart.tsx';
import { AsyncContent, type Readable } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { LoadingChart } from '../../kit/design/loading-shapes.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Together } from '../../kit/design/together.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { AgentVersion } from '../game-servers/agent-version.tsx';
import { agentVersionWords } from '../game-servers/agent-version.words.ts';
import { ServerStateSentence, serverTones } from '../game-servers/server-state.tsx';
import { serversWords } from '../game-servers/servers.words.ts';
import { useLiveAgents } from '../game-servers/use-live-agents.ts';
import { outcomesWords } from '../outcomes.words.ts';
import { powerWords } from '../power/power.words.ts';
import { PowerNotes } from '../power/power-notes.tsx';
import { PlayersNow } from './players-now.tsx';
import { LastCommands, LastEvents } from './recent-activity.tsx';
import { ServerLoad } from './server-load.tsx';
import classes from './server-overview.module.css';
import { serverOverviewWords } from './server-overview.words.ts';

const setup = 'castellan-agent setup';

/** The settings made on the game's machine, and how to change them there. */
const MachineCard = ({ machine }: { readonly machine: MachineFacts }) => {
  const words = useWords(powerWords);
  const format = useFormat();
  const allowed = (['power', 'files', 'mods', 'backups'] as const).filter((name) => machine.allows[name]);
  return (
    <Card title={words.machine}>
      <Text size="sm" c="dimmed">
        {words.machineText}
      </Text>
      <Facts
        facts={[
          {
            label: words.folder,
            value: machine.folder === null ? words.notSet : <bdi>{machine.folder}</bdi>,
          },
          {
            label: words.start,
            value: (
              <>
                {words.methods[machine.startMethod]}
                {machine.startDetail !== null && (
                  <>
                    : <Code dir="ltr">{machine.startDetail}</Code>
                  </>
                )}
              </>
            ),
          },
          {
            label: words.account,
            value: machine.account === null ? words.agentsAccount : <bdi>{machine.account}</bdi>,
          },
          {
            label: words.allowed,
            value:
              allowed.length === 0
                ? words.nothingAllowed
                : format.list(allowed.map((name) => words.allows[name])),
          },
        ]}
      />
      <Group gap="xs">
        <Text size="sm">{words.howToChange}</Text>
        <Code dir="ltr">{setup}</Code>
        <CopyButton value={setup} label={words.copyCommand} />
      </Group>
    </Card>
  );
};

/** The facts that identify a server beyond the head of its page, and how it is reached. */
const ServerFacts = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(serverOverviewWords);
  const { via } = useWords(serversWords);
  const { version } = useWords(agentVersionWords);
  const clusters = useRead(clustersHttp.list, { query: { archived: 'true' } }).data?.rows;
  const agent = useLiveAgents().data?.rows.find(({ serverId }) => serverId === server.id);
  const { status, archivedAt } = server;
  const connected = status.agentMode ? words.agentModes[status.agentMode] : words.noAgent;
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          {
            label: words.cluster,
            value: <bdi>{clusters?.find(({ id }) => id === server.clusterId)?.name ?? '…'}</bdi>,
          },
          ...(archivedAt === null
            ? [
                { label: words.via, value: via[status.via ?? 'none'] },
                {
                  label: words.answered,
                  value: status.answeredAt ? <TimeAgo at={status.answeredAt} /> : words.never,
                },
                { label: words.agent, value: connected },
              ]
            : []),
          ...(agent?.version ? [{ label: version, value: <AgentVersion agent={agent} /> }] : []),
          { label: words.made, value: <TimeAgo at={server.createdAt} /> },
          {
            label: words.id,
            value: (
              <Group gap={4} wrap="nowrap">
                <span>{server.id}</span>
                <CopyButton value={server.id} label={words.copyId} />
              </Group>
            ),
          },
        ]}
      />
    </Card>
  );
};

const spans = Object.keys(serverSpans) as MetricSpan[];
/** The day, unless the address names another span. */
const spanOf = (text: string | undefined): MetricSpan => spans.find((span) => span === text) ?? 'day';

/** Players and response time of a server over the last hour, day or month. */
const OverTime = ({ serverId }: { readonly serverId: string }) => {
  const words = useWords(serverOverviewWords);
  const { values, set } = useSearchState();
  const span = spanOf(values.span);
  const read = useRead(
    serverFiguresHttp.read,
    { params: { serverId }, query: { span } },
    { everyMs: pollMs.rarely },
  );
  return (
    <Card
      title={words.overTime}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={words.span}
          value={span}
          onChange={(chosen) => set({ span: chosen === 'day' ? '' : chosen })}
          data={spans.map((name) => ({ value: name, label: words.spans[name] }))}
        />
      }
    >
      <AsyncContent read={read} loading={<LoadingChart />}>
        {(series) => <Charts key={span} series={series} />}
      </AsyncContent>
    </Card>
  );
};

const Charts = ({ series }: { readonly series: ServerSeries }) => {
  const words = useWords(serverOverviewWords);
  const format = useFormat();
  const { players, answers, hasAnswers } = useMemo(() => {
    const times = series.points.map(({ at }) => Date.parse(at) / 1000);
    const answerMs = series.points.map((point) => point.answerMs);
    return {
      players: { times, values: series.points.map((point) => point.players) },
      answers: { times, values: answerMs },
      hasAnswers: answerMs.some((value) => value !== null),
    };
  }, [series]);
  return (
    <Stack gap="md">
      <div>
        <Text size="xs" c="dimmed">
          {words.players}
        </Text>
        <TimeChart label={words.players} series={players} format={format.number} isWhole />
      </div>
      {hasAnswers && (
        <div>
          <Text size="xs" c="dimmed">
            {words.answerTime}
          </Text>
          <TimeChart label={words.answerTime} series={answers} format={format.milliseconds} />
        </div>
      )}
    </Stack>
  );
};

/** Why the server does not answer, and what helps; nothing while it answers. */
const NeedsAttention = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(serverOverviewWords);
  const outcomes = useWords(outcomesWords);
  const can = useCan();
  const told = useTold();
  const { state, shown, detail, outcome } = server.status;
  const failed = outcome !== null && outcome !== 'answered' ? outcome : null;
  if (state === 'online' && detail === null) return null;
  const remedy =
    state === 'starting'
      ? words.starting
      : failed
        ? outcomes.remedies[failed]
        : state === 'unknown'
          ? words.askedNever
          : null;
  if (!remedy && !detail && !failed) return null;
  return (
    <section
      className={classes.attention}
      data-tone={state === 'online' ? 'warn' : serverTones[shown]}
      aria-label={words.attention}
    >
      {state !== 'online' && <ServerStateSentence server={server} />}
      {failed && <Text fw={600}>{outcomes.outcomes[failed]}</Text>}
      {remedy && <Text size="sm">{remedy}</Text>}
      {detail && (
        <Text size="sm">
          <bdi>{told(detail)}</bdi>
        </Text>
      )}
      {can('servers.write', server.id) && state !== 'starting' && (
        <PanelLink size="sm" to={`/servers/${encodeURIComponent(server.id)}/settings`}>
          {words.fixSettings}
        </PanelLink>
      )}
    </section>
  );
};

/** One server at a glance: what needs a person, who is playing, its graphs, its latest events. */
export const ServerOverview = ({
  server,
  power,
}: {
  readonly server: GameServer;
  readonly power: Readable<ServerPower>;
}) => {
  const can = useCan();
  const { id, archivedAt } = server;
  return (
    <Together reads={archivedAt === null ? [power] : []}>
      <div className={classes.columns}>
        <div className={classes.column}>
          {archivedAt === null && <NeedsAttention server={server} />}
          {archivedAt === null && (
            <AsyncContent read={power}>
              {(known) => <PowerNotes server={server} power={known} />}
            </AsyncContent>
          )}
          <OverTime serverId={id} />
          {can('events.read') && <LastEvents server={server} />}
          {can('console.read', id) && <LastCommands server={server} />}
          {power.data?.machine && <MachineCard machine={power.data.machine} />}
        </div>
        <div className={`${classes.column} ${classes.side}`}>
          {archivedAt === null && <PlayersNow server={server} />}
          <ServerFacts server={server} />
          {archivedAt === null && <ServerLoad server={server} />}
        </div>
      </div>
    </Together>
  );
};
