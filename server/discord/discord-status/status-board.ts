import {
  mostListedPlayers,
  type ShownServer,
  type StatusBoard,
  type StatusJoin,
  type StatusTarget,
} from '#contracts/discord/discord-status.ts';
import type { ServerPlayers } from '#contracts/people/players.ts';
import type { GameServerStatus } from '#contracts/servers/game-servers.ts';
import type { GameId } from '#contracts/servers/games.ts';

export interface BoardSources {
  /** The servers in use. */
  readonly servers: () => readonly {
    readonly id: string;
    readonly clusterId: string;
    readonly name: string;
    readonly game: GameId;
    /** Null: it is reached only through the Game Agent. */
    readonly host: string | null;
  }[];
  readonly statusOf: (serverId: string) => GameServerStatus;
  readonly playersOn: (serverId: string) => ServerPlayers;
}

export interface BoardWish {
  readonly target: StatusTarget;
  /** The name of the server or cluster. */
  readonly title: string;
  readonly showsNames: boolean;
  readonly joins: readonly StatusJoin[];
}

/** During this time after a start, servers that have not been asked yet stay as their message shows them. */
const settlingMs = 45_000;

/** @returns what a message shows; null: too little is known yet */
export const createStatusBoards = (
  { servers, statusOf, playersOn }: BoardSources,
  nowMs: () => number = () => performance.now(),
): ((wish: BoardWish) => StatusBoard | null) => {
  const startedMs = nowMs();
  /** It has not been asked yet, and there is a link to it. */
  const willAnswer = ({ id, host }: { readonly id: string; readonly host: string | null }): boolean => {
    const { state, answeredAt, outcome } = statusOf(id);
    return state === 'unknown' && answeredAt === null && (host !== null || outcome === 'agent away');
  };

  const show = (id: string, { showsNames, joins }: BoardWish): Omit<ShownServer, 'id' | 'name' | 'game'> => {
    const { state, since, answeredAt, players } = statusOf(id);
    const listed = showsNames && players !== null ? playersOn(id).players : null;
    const join = joins.find(({ serverId }) => serverId === id);
    return {
      state,
      since,
      // While it replies, the time of its last reply says nothing and changes all the time.
      answeredAt: state === 'online' ? null : answeredAt,
      players,
      names: listed?.slice(0, mostListedPlayers).map(({ name }) => name) ?? null,
      address: join?.address ?? '',
      map: join?.map ?? '',
    };
  };

  return (wish) => {
    const { target, title } = wish;
    const wanted = servers()
      .filter(({ id, clusterId }) => (target.kind === 'server' ? id : clusterId) === target.id)
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    // The database has it, and memory does not yet.
    if (target.kind === 'server' && wanted.length === 0) return null;
    const shown = wanted.map(({ id, name, game }) => ({ id, name, game, ...show(id, wish) }));
    if (nowMs() - startedMs < settlingMs && wanted.some(willAnswer)) return null;
    return { title, kind: target.kind, servers: shown };
  };
};
