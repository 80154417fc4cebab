import type { Kysely } from 'kysely';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import type { MetricSpan } from '#contracts/operations/metric-history.ts';
import {
  dayOfServers,
  type ServerSeries,
  type serverFiguresHttp,
} from '#contracts/servers/server-figures.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import { coalesceReads } from '../../kernel/database/coalesce-reads.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { addSamples, readDay, readServerSeries, type ServerSample } from './figure-rows.ts';

/** What the charts of game servers show; all of it is in the database, so a restart loses at most a minute. */
export type ServerFigures = ReturnType<typeof createServerFigures>;

const minuteMs = 60_000;

export const createServerFigures = (options: {
  readonly db: Kysely<Tables>;
  /** Servers in use. */
  readonly servers: { all(): readonly { readonly id: string }[] };
  /** What is known about a server right now. */
  readonly sampleOf: (serverId: string) => Omit<ServerSample, 'serverId'>;
  readonly obstacle: () => string | null;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}) => {
  const { db, servers, sampleOf, obstacle, log, now = Date.now } = options;
  const readSharedDay = coalesceReads(() => readDay(db, now()), obstacle);
  const unknownDay = Array.from({ length: dayOfServers.steps }, () => null);
  let timer: NodeJS.Timeout | undefined;
  let sampling: Promise<void> | null = null;

  const write = async () => {
    try {
      const samples = servers.all().map(({ id }) => ({ serverId: id, ...sampleOf(id) }));
      await addSamples(db, samples, now());
    } catch (error) {
      if (isDatabaseAway(error)) log.debug({ err: error }, 'skipped a minute of server metrics');
      else log.warn({ err: error }, 'could not write a minute of server metrics');
    } finally {
      sampling = null;
    }
  };
  /** A stalled database is not asked a second time. */
  const sample = () => {
    sampling ??= write();
    return sampling;
  };
  const schedule = () => {
    timer = setTimeout(
      () => {
        void sample();
        schedule();
      },
      minuteMs - (now() % minuteMs),
    ).unref();
  };

  return {
    /** Starts sampling once a minute. */
    begin(): void {
      if (!timer) schedule();
    },
    /** Never fails. */
    sample,
    async read(serverId: string, span: MetricSpan, by: Actor): Promise<ServerSeries | Refusal> {
      if (!may(by, 'servers.read', serverId)) return refuse('FORBIDDEN');
      const known = await db
        .selectFrom('game_servers')
        .select('id')
        .where('id', '=', serverId)
        .executeTakeFirst();
      return known ? readServerSeries(db, serverId, span, now()) : refuse('NOT_FOUND');
    },
    /** For the servers that the actor may see. */
    async day(by: Actor): Promise<EndpointResponse<typeof serverFiguresHttp.day>> {
      const known = await readSharedDay();
      const rows = servers
        .all()
        .filter(({ id }) => may(by, 'servers.read', id))
        .map(({ id }) => ({ serverId: id, players: [...(known.get(id) ?? unknownDay)] }));
      return { stepSeconds: dayOfServers.stepSeconds, rows };
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await sampling;
    },
  };
};
