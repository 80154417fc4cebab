import type { Kysely } from 'kysely';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { waitAtMost } from '#runtime/within.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { OngoingSession } from './player-session.ts';
import { rosterTiming, type ServerRoster } from './server-roster.ts';
import { confirmSessions } from './session-rows.ts';
import { isWritten } from './write-sessions.ts';

const confirmIntervalMs = 60_000;
/** A stop waits no longer than this for the database. */
export const stopDeadlineMs = 2000;

/** Sessions per statement: a few milliseconds, here and in the database. */
const batchSize = 1000;

/** The time-driven changes of who is on which server. */
export const createPresenceClock = (options: {
  readonly db: Kysely<Tables>;
  readonly rosters: Map<string, ServerRoster>;
  readonly isInUse: (serverId: string) => boolean;
  readonly isAgentPresent: (serverId: string) => boolean;
  readonly settle: (roster: ServerRoster, isChanged: boolean) => void;
  readonly write: (roster: ServerRoster) => void;
  readonly now: () => Date;
  readonly log: Log;
  readonly sweepMs: number;
}) => {
  const { db, rosters, isInUse, isAgentPresent, settle, write, now, log, sweepMs } = options;
  let confirmedAtMs = now().getTime();
  let timer: NodeJS.Timeout | undefined;

  const isSilent = ({ serverId, source, asOf }: ServerRoster, at: Date): boolean =>
    (source === 'agent' && !isAgentPresent(serverId)) ||
    !isInUse(serverId) ||
    (asOf !== null && at.getTime() - asOf.getTime() > rosterTiming.staleMs);

  const sweep = () => {
    const at = now();
    for (const roster of rosters.values()) {
      const isLost = isSilent(roster, at) && roster.lose(at);
      const isExpired = roster.expire(at);
      settle(roster, isLost || isExpired);
      if (!isWritten(roster)) write(roster);
      else if (!isInUse(roster.serverId) && roster.open.size === 0) rosters.delete(roster.serverId);
    }
    // A clock that was set back must not delay it.
    if (Math.abs(at.getTime() - confirmedAtMs) < confirmIntervalMs) return;
    confirmedAtMs = at.getTime();
    void confirm();
  };

  /** Stores until when everyone was seen, to the minute: this is what a crash leaves behind. */
  const confirm = singleFlight(async () => {
    let batch: {
      readonly session: OngoingSession;
      readonly sessionId: string;
      readonly confirmedAt: Date;
    }[] = [];
    const tell = async () => {
      await confirmSessions(db, batch);
      for (const { session, confirmedAt } of batch) session.toldUntil = confirmedAt;
      batch = [];
    };
    try {
      for (const { open } of [...rosters.values()]) {
        for (const session of open) {
          const { stored, confirmedAt, toldUntil } = session;
          if (stored && toldUntil?.getTime() !== confirmedAt.getTime())
            batch.push({ session, sessionId: stored.sessionId, confirmedAt });
        }
        if (batch.length >= batchSize) await tell();
      }
      await tell();
    } catch (error) {
      if (isDatabaseAway(error)) log.debug({ err: error }, 'sessions are waiting for the database');
      else log.warn({ err: error }, 'could not confirm sessions; will retry in a minute');
    }
  });

  return {
    begin(): void {
      timer ??= setInterval(sweep, sweepMs).unref();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      if (!timer) return;
      const last = (confirm.underWay() ?? Promise.resolve()).then(confirm);
      await waitAtMost(stopDeadlineMs, last);
    },
  };
};
