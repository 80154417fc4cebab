import type { ServerPlayers } from '#contracts/players.ts';
import type { ServerRoster } from './server-roster.ts';
import { isWritten } from './write-stays.ts';

/** With a number that changes whenever anything but the time does. */
export interface NumberedPlayers {
  readonly players: ServerPlayers;
  readonly number: number;
}

interface Shown extends NumberedPlayers {
  /** The list is the roster's of now, so that its time is, too. */
  readonly isCurrent: boolean;
}

/** What is told of rosters: only what is written down, for only that has ids. */
export interface ShownPlayers {
  /** Something but times has changed in it. */
  publish(roster: ServerRoster): void;
  read(serverId: string, roster: ServerRoster | null): ServerPlayers;
  numbered(serverId: string, roster: ServerRoster | null): NumberedPlayers;
}

export const createShownPlayers = (): ShownPlayers => {
  const shown = new Map<string, Shown>();
  let numbers = 0;

  const show = (serverId: string, players: Omit<ServerPlayers, 'serverId'>, isCurrent: boolean) => {
    numbers += 1;
    shown.set(serverId, { players: { serverId, ...players }, number: numbers, isCurrent });
  };

  const numbered: ShownPlayers['numbered'] = (serverId, roster) => {
    const last = shown.get(serverId);
    if (!last) return { players: { serverId, players: null, source: null, asOf: null }, number: 0 };
    if (!last.isCurrent || !roster?.asOf) return last;
    return { ...last, players: { ...last.players, asOf: roster.asOf.toISOString() } };
  };

  return {
    publish(roster) {
      const { serverId, isKnown, source, asOf } = roster;
      const since = asOf?.toISOString() ?? null;
      if (!isKnown) return show(serverId, { players: null, source, asOf: since }, true);
      const last = shown.get(serverId);
      if (isWritten(roster)) show(serverId, { players: playersOf(roster), source, asOf: since }, true);
      // Until it is written the one before is shown, with its time.
      else if (last?.isCurrent) shown.set(serverId, { ...last, isCurrent: false });
    },
    read: (serverId, roster) => numbered(serverId, roster).players,
    numbered,
  };
};

const playersOf = ({ serverId, open }: ServerRoster): NonNullable<ServerPlayers['players']> =>
  [...open].flatMap(({ stored, name, platformId, joinedAt }) =>
    stored
      ? [{ serverId, playerId: stored.playerId, name, platformId, joinedAt: joinedAt.toISOString() }]
      : [],
  );
