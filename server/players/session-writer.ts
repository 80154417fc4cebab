import type { Kysely } from 'kysely';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';
import type { ReplacePlayer } from './identify-player.ts';
import type { ServerRoster } from './server-roster.ts';
import { isWritten, writeSessions } from './write-sessions.ts';

export interface SessionWriterOptions {
  readonly db: Kysely<Tables>;
  readonly replacePlayer: ReplacePlayer;
  /** After each try. */
  readonly onTried: (roster: ServerRoster, hasSucceeded: boolean) => void;
  readonly log: Log;
}

/** Writes rosters, each by one writing at a time, that takes whatever has come in the meantime. */
export interface SessionWriter {
  /** Has it written as soon as it can be; what fails is to be given again. */
  write(roster: ServerRoster): void;
  /** Settles after a try that began after this call. */
  written(roster: ServerRoster): Promise<void>;
  /** Settles when nothing is under way. */
  idle(): Promise<void>;
}

/** The pool is not for us alone. */
const mostAtOnce = 2;

export const createSessionWriter = ({
  db,
  replacePlayer,
  onTried,
  log,
}: SessionWriterOptions): SessionWriter => {
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
      if (isDatabaseAway(error)) log.debug({ err: error, serverId }, 'players wait for the database');
      else log.error({ err: error, serverId }, 'who is on a server could not be written; tried again');
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
    write,
    written(roster) {
      if (isWritten(roster) && !underWay.has(roster)) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.set(roster, [...(waiters.get(roster) ?? []), resolve]);
      write(roster);
      return promise;
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
};
