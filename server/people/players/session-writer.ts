import type { Kysely } from 'kysely';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { ReplacePlayer } from './identify-player.ts';
import type { ServerRoster } from './server-roster.ts';
import { isWritten, writeSessions } from './write-sessions.ts';

/** Other features need the pool, too. */
const mostAtOnce = 2;

/** Writes rosters, one write per roster at a time, which includes whatever has accumulated. */
export const createSessionWriter = ({
  db,
  replacePlayer,
  onTried,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly replacePlayer: ReplacePlayer;
  /** Called after each try. */
  readonly onTried: (roster: ServerRoster, hasSucceeded: boolean) => void;
  readonly log: Log;
}) => {
  const queue = new Set<ServerRoster>();
  const underWay = new Map<ServerRoster, Promise<void>>();
  const waiters = new Map<ServerRoster, (() => void)[]>();

  const attempt = async (roster: ServerRoster, waiting: readonly (() => void)[]) => {
    let hasSucceeded = false;
    try {
      await writeSessions(db, roster, replacePlayer);
      hasSucceeded = true;
    } catch (error) {
      const { serverId } = roster;
      if (isDatabaseAway(error)) log.debug({ err: error, serverId }, 'players are waiting for the database');
      else log.error({ err: error, serverId }, 'could not store who is on a server; will retry');
    }
    underWay.delete(roster);
    onTried(roster, hasSucceeded);
    for (const resume of waiting) resume();
    pump();
  };

  const pump = () => {
    for (const roster of queue) {
      if (underWay.size >= mostAtOnce) return;
      if (underWay.has(roster)) continue;
      queue.delete(roster);
      const waiting = waiters.get(roster) ?? [];
      waiters.delete(roster);
      underWay.set(roster, attempt(roster, waiting));
    }
  };

  const write = (roster: ServerRoster) => {
    queue.add(roster);
    pump();
  };

  return {
    /** Writes it as soon as possible; what fails must be passed again. */
    write,
    /** Settles after a try that began after this call. */
    written(roster: ServerRoster): Promise<void> {
      if (isWritten(roster) && !underWay.has(roster)) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.set(roster, [...(waiters.get(roster) ?? []), resolve]);
      write(roster);
      return promise;
    },
    /** Settles when no write is running. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
};
