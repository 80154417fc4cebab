import type { ServerPlayers } from '#contracts/people/players.ts';
import type { OngoingSession } from './player-session.ts';
import type { ListSource, ServerRoster } from './server-roster.ts';
import { isWritten } from './write-sessions.ts';

/** With a number that changes whenever anything but the time does. */
export interface NumberedPlayers {
  readonly players: ServerPlayers;
  readonly number: number;
}

/** Only what the sessions lack, because there are thousands: the list shown is built on demand. */
interface Shown {
  readonly number: number;
  /** Their stored state is shown, even while they change. Null: unknown. */
  readonly sessions: readonly OngoingSession[] | null;
  readonly source: ListSource | null;
  readonly asOfMs: number | null;
  /** The list is the roster's current one, so its time applies, too. */
  readonly isCurrent: boolean;
}

/** What is shown of rosters: only what is written, because only that has ids. */
export const createShownPlayers = () => {
  const shown = new Map<string, Shown>();
  let numbers = 0;

  const numbered = (serverId: string, roster: ServerRoster | null): NumberedPlayers => {
    const last = shown.get(serverId);
    if (!last) return { players: { serverId, players: null, source: null, asOf: null }, number: 0 };
    const { number, sessions, source, asOfMs, isCurrent } = last;
    const players = sessions && playersOf(serverId, sessions);
    const sinceMs = (isCurrent ? roster?.asOf?.getTime() : undefined) ?? asOfMs;
    const asOf = sinceMs === null ? null : new Date(sinceMs).toISOString();
    return { players: { serverId, players, source, asOf }, number };
  };

  return {
    /** Call it when anything but times has changed. */
    publish(roster: ServerRoster): void {
      const { serverId, open, isKnown, source, asOf } = roster;
      const last = shown.get(serverId);
      if (!isKnown || isWritten(roster)) {
        numbers += 1;
        shown.set(serverId, {
          number: numbers,
          sessions: isKnown ? [...open] : null,
          source,
          asOfMs: asOf?.getTime() ?? null,
          isCurrent: true,
        });
      }
      // Until it is written, the previous list is shown with its time.
      else if (last?.isCurrent) shown.set(serverId, { ...last, isCurrent: false });
    },
    read: (serverId: string, roster: ServerRoster | null): ServerPlayers =>
      numbered(serverId, roster).players,
    numbered,
  };
};

const playersOf = (
  serverId: string,
  sessions: readonly OngoingSession[],
): NonNullable<ServerPlayers['players']> =>
  sessions.flatMap(({ stored, joinedAt }) => {
    if (!stored) return [];
    const { playerId, name, platformId } = stored;
    return [{ serverId, playerId, name, platformId, joinedAt: joinedAt.toISOString() }];
  });
