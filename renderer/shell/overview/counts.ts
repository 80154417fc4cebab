import type { EventRow } from '#contracts/operations/event-row.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';

interface ServerCounts {
  readonly total: number;
  readonly online: number;
  readonly starting: number;
  readonly offline: number;
  readonly unknown: number;
  /** On the servers whose players are known; null if that is none. */
  readonly players: number | null;
  /** Online servers whose players are unknown. */
  readonly uncounted: number;
}

export const countServers = (servers: readonly Pick<GameServer, 'status'>[]): ServerCounts => {
  const inState = (state: GameServer['status']['state']) =>
    servers.filter(({ status }) => status.state === state).length;
  const known = servers.flatMap(({ status: { players } }) => (players === null ? [] : [players]));
  return {
    total: servers.length,
    online: inState('online'),
    starting: inState('starting'),
    offline: inState('offline'),
    unknown: inState('unknown'),
    players: known.length === 0 ? null : known.reduce((sum, players) => sum + players, 0),
    uncounted: servers.filter(({ status }) => status.state === 'online' && status.players === null).length,
  };
};

/** The peak of means over steps, of which the present one is not over: never below the players who are there now. */
export const peakWith = (peak: number, now: number | null): number => Math.max(peak, now ?? 0);

type AgentFacts = Pick<Agent, 'mode' | 'stale' | 'lastSeenAt' | 'pinnedAt'>;
/** An agent that has never connected does not count. */
export const wasThere = ({ lastSeenAt, pinnedAt, mode }: AgentFacts): boolean =>
  mode !== null || lastSeenAt !== null || pinnedAt !== null;

interface AgentCounts {
  readonly connected: number;
  readonly stale: number;
  /** Those that have connected before. */
  readonly total: number;
}

export const countAgents = (agents: readonly AgentFacts[]): AgentCounts => ({
  connected: agents.filter(({ mode, stale }) => mode !== null && !stale).length,
  stale: agents.filter(({ stale }) => stale).length,
  total: agents.filter(wasThere).length,
});

const dayMs = 86_400_000;

/** How many of the newest events are from the last day; `isMore` if there may be others that were not read. */
export const countOfDay = (
  rows: readonly Pick<EventRow, 'at'>[],
  nowMs: number,
  isMoreToRead: boolean,
): { readonly count: number; readonly isMore: boolean } => {
  const count = rows.filter(({ at }) => Date.parse(at) > nowMs - dayMs).length;
  return { count, isMore: isMoreToRead && count === rows.length };
};
