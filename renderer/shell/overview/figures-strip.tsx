import { Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { agentsHttp } from '#contracts/servers/agents.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { storeFiguresHttp } from '#contracts/store/store-figures.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useRead } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { Sparkline } from '../../kit/charts/sparkline.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { countAgents, countOfDay, countServers, peakWith } from './counts.ts';
import classes from './figures-strip.module.css';
import { overviewWords } from './overview.words.ts';
import { useMetricHistory } from './use-metric-history.ts';
import { type EventsWanted, useNewestEvents } from './use-newest-events.ts';

const Figure = (props: {
  readonly label: string;
  readonly to: string;
  /** Null: not known. */
  readonly value: string | null;
  readonly course?: ReactNode;
  readonly children: ReactNode;
}) => {
  const { label, to, value, course, children } = props;
  const words = useWords(overviewWords);
  return (
    <li className={classes.figure}>
      <PanelLink to={to} size="xs" c="dimmed" className={classes.label ?? ''}>
        {label}
      </PanelLink>
      <span className={classes.value}>
        {value ?? (
          <>
            <span aria-hidden>–</span>
            <VisuallyHidden>{words.unknown}</VisuallyHidden>
          </>
        )}
        {course}
      </span>
      <Text size="xs" c="dimmed" component="span">
        {children}
      </Text>
    </li>
  );
};

/** The player count over the last day; only the stack's own history has it. */
const DayOfPlayers = ({
  children,
}: {
  readonly children: (peak: number | null, course: ReactNode) => ReactNode;
}) => {
  const { read } = useMetricHistory('day');
  const players = read.data?.points.map((point) => point.players) ?? [];
  const known = players.filter((each) => each !== null);
  return children(
    // The values are means over a step: at least that many players were there.
    known.length > 0 ? Math.ceil(Math.max(...known)) : null,
    <Sparkline values={players} width={72} height={20} />,
  );
};

const PlayersFigure = ({ counts }: { readonly counts: ReturnType<typeof countServers> | undefined }) => {
  const words = useWords(overviewWords);
  const format = useFormat();
  const can = useCan();
  const common = {
    label: words.players,
    to: can.somewhere('players.read') ? '/players' : '/servers',
    value: typeof counts?.players === 'number' ? format.number(counts.players) : null,
  };
  const uncounted = counts && counts.uncounted > 0 ? words.uncounted(counts.uncounted) : null;
  if (!can('stack.read')) return <Figure {...common}>{counts && (uncounted ?? words.playersText)}</Figure>;
  return (
    <DayOfPlayers>
      {(peak, course) => (
        <Figure {...common} course={course}>
          {uncounted ??
            (peak === null
              ? words.playersText
              : words.peak(format.number(peakWith(peak, counts?.players ?? null))))}
        </Figure>
      )}
    </DayOfPlayers>
  );
};

const SoldFigure = () => {
  const words = useWords(overviewWords);
  const format = useFormat();
  const { data } = useRead(storeFiguresHttp.sales, { query: { days: 1 } }, { everyMs: pollMs.rarely });
  const today = data?.steps.at(-1);
  return (
    <Figure label={words.sold} to="/sales" value={today ? format.number(today.points) : null}>
      {today && words.orders(today.orders)}
    </Figure>
  );
};

const AgentsFigure = () => {
  const words = useWords(overviewWords);
  const { data } = useRead(agentsHttp.list, {}, { everyMs: pollMs.usual });
  const counts = data && countAgents(data.rows);
  return (
    <Figure
      label={words.agents}
      to="/agents"
      value={counts ? words.ofTotal(counts.connected, counts.total) : null}
    >
      {counts &&
        (counts.total === 0
          ? words.noAgents
          : counts.stale > 0
            ? words.stale(counts.stale)
            : counts.connected < counts.total
              ? words.away(counts.total - counts.connected)
              : words.allConnected)}
    </Figure>
  );
};

const alerts: EventsWanted = { severity: ['alert'] };

const AlertsFigure = () => {
  const words = useWords(overviewWords);
  const format = useFormat();
  const { data } = useNewestEvents(alerts);
  const counted = data && countOfDay(data.rows, serverNowMs(), data.nextCursor !== null);
  return (
    <Figure
      label={words.alerts}
      to="/events?severity=alert"
      value={counted ? `${format.number(counted.count)}${counted.isMore ? '+' : ''}` : null}
    >
      {words.alertsText}
    </Figure>
  );
};

/** Undefined servers: not known yet. */
export const FiguresStrip = ({ servers }: { readonly servers: readonly GameServer[] | undefined }) => {
  const words = useWords(overviewWords);
  const can = useCan();
  const counts = servers && countServers(servers);
  return (
    <section aria-label={words.counts}>
      <ul className={classes.strip}>
        {can.somewhere('servers.read') && (
          <>
            <PlayersFigure counts={counts} />
            <Figure
              label={words.servers}
              to="/servers"
              value={counts ? words.ofTotal(counts.online, counts.total) : null}
            >
              {counts && words.serversText(counts)}
            </Figure>
          </>
        )}
        {can('orders.read') && <SoldFigure />}
        {can.somewhere('servers.read') && <AgentsFigure />}
        {can('events.read') && <AlertsFigure />}
      </ul>
    </section>
  );
};
