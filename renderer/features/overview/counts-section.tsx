import { Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { agentsHttp } from '#contracts/agents.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { PanelLink } from '../../design/panel-link.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { LastKnown } from '../../stack-health/last-known.tsx';
import { useRead } from '../../wire/queries.ts';
import { serverNowMs } from '../../wire/server-clock.ts';
import { countAgents, countOfDay, countServers } from './counts.ts';
import classes from './overview.module.css';
import { overviewWords } from './overview.words.ts';
import { useNotableEvents } from './use-notable-events.ts';

interface CountTileProps {
  readonly label: string;
  readonly to: string;
  /** Null: not known. */
  readonly value: string | null;
  readonly children: ReactNode;
}

const CountTile = ({ label, to, value, children }: CountTileProps) => {
  const words = useWords(overviewWords);
  return (
    <li className={classes.tile}>
      <PanelLink to={to} size="sm" c="dimmed">
        {label}
      </PanelLink>
      <span className={classes.figure}>
        {value ?? (
          <>
            <span aria-hidden>–</span>
            <VisuallyHidden>{words.unknown}</VisuallyHidden>
          </>
        )}
      </span>
      <Text size="xs" c="dimmed" component="span">
        {children}
      </Text>
    </li>
  );
};

const agentsEveryMs = 10_000;

const AgentsTile = () => {
  const words = useWords(overviewWords);
  const format = useFormat();
  const { data } = useRead(agentsHttp.list, {}, { everyMs: agentsEveryMs });
  const counts = data && countAgents(data.rows);
  return (
    <CountTile label={words.agents} to="/agents" value={counts ? format.number(counts.connected) : null}>
      {counts &&
        (counts.total === 0
          ? words.noAgents
          : [words.agentsText(counts.total), counts.stale > 0 && words.stale(counts.stale)]
              .filter(Boolean)
              .join(' · '))}
    </CountTile>
  );
};

const AlertsTile = () => {
  const words = useWords(overviewWords);
  const format = useFormat();
  const { data } = useNotableEvents(['alert']);
  const counted = data && countOfDay(data.rows, serverNowMs(), data.nextCursor !== null);
  return (
    <CountTile
      label={words.alerts}
      to="/events?severity=alert"
      value={counted ? `${format.number(counted.count)}${counted.isMore ? '+' : ''}` : null}
    >
      {words.alertsText}
    </CountTile>
  );
};

export interface CountsSectionProps {
  /** Undefined: not known yet. */
  readonly servers: readonly GameServer[] | undefined;
  /** Since when they may have changed unseen; null while they are true. */
  readonly lastKnownAt: string | null;
}

/** Servers, players, agents and alerts in numbers, as far as one may see them. */
export const CountsSection = ({ servers, lastKnownAt }: CountsSectionProps) => {
  const words = useWords(overviewWords);
  const format = useFormat();
  const can = useCan();
  const counts = servers && countServers(servers);
  const playersTo = can.somewhere('players.read') ? '/players' : '/servers';
  return (
    <section aria-label={words.counts}>
      {lastKnownAt && <LastKnown at={lastKnownAt} />}
      <ul className={classes.grid}>
        {can.somewhere('servers.read') && (
          <>
            <CountTile
              label={words.servers}
              to="/servers"
              value={counts ? format.number(counts.online) : null}
            >
              {counts &&
                [
                  words.ofServers(counts.total),
                  counts.starting > 0 && words.starting(counts.starting),
                  counts.offline > 0 && words.offline(counts.offline),
                  counts.unknown > 0 && words.unknownCount(counts.unknown),
                ]
                  .filter(Boolean)
                  .join(' · ')}
            </CountTile>
            <CountTile
              label={words.players}
              to={playersTo}
              value={typeof counts?.players === 'number' ? format.number(counts.players) : null}
            >
              {counts && (counts.uncounted > 0 ? words.uncounted(counts.uncounted) : words.playersText)}
            </CountTile>
            <AgentsTile />
          </>
        )}
        {can('events.read') && <AlertsTile />}
      </ul>
    </section>
  );
};
