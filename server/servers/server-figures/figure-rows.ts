import { type Kysely, sql } from 'kysely';
import {
  dayOfServers,
  type ServerPoint,
  type ServerSeries,
  serverSpans,
} from '#contracts/servers/server-figures.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** What is known about one server at a moment. */
export interface ServerSample {
  readonly serverId: string;
  /** Null: unknown. */
  readonly players: number | null;
  readonly answerMs: number | null;
}

const kinds = Object.values(serverSpans);
/** Steps kept beyond those of a chart, so that its first one is complete. */
const spareSteps = 2;
/** The most rows that one statement deletes; the rest is deleted a minute later. */
const mostDeleted = 5000;

/** Adds a sample to the steps of each length, and deletes the steps that no chart shows any more; all or nothing. */
export const addSamples = async (
  db: Kysely<Tables>,
  samples: readonly ServerSample[],
  nowMs: number,
): Promise<void> => {
  const known = samples.filter(({ players, answerMs }) => players !== null || answerMs !== null);
  await db.transaction().execute(async (trx) => {
    for (const { stepSeconds, steps } of kinds) {
      const stepMs = stepSeconds * 1000;
      const at = new Date(Math.floor(nowMs / stepMs) * stepMs);
      // Joined, because a server that the database does not know must not keep the others from being written.
      await sql`
        insert into server_figures as kept
          (server_id, step_seconds, at, players_sum, players_count, answer_ms_sum, answer_ms_count)
        select id, ${stepSeconds}::integer, ${at}::timestamptz, coalesce(players, 0), (players is not null)::integer,
               coalesce(answer_ms, 0), (answer_ms is not null)::integer
          from unnest(${known.map(({ serverId }) => serverId)}::text[],
                      ${known.map(({ players }) => players)}::double precision[],
                      ${known.map(({ answerMs }) => answerMs)}::double precision[])
            as sample (server_id, players, answer_ms)
          join game_servers on game_servers.id = sample.server_id
         order by id
        on conflict (server_id, step_seconds, at) do update
           set players_sum = kept.players_sum + excluded.players_sum,
               players_count = kept.players_count + excluded.players_count,
               answer_ms_sum = kept.answer_ms_sum + excluded.answer_ms_sum,
               answer_ms_count = kept.answer_ms_count + excluded.answer_ms_count`.execute(trx);
      const before = new Date(at.getTime() - (steps + spareSteps) * stepMs);
      await sql`
        delete from server_figures where (server_id, step_seconds, at) in (
          select server_id, step_seconds, at from server_figures
           where step_seconds = ${stepSeconds} and at < ${before}::timestamptz - castellan_unproven_time() order by at limit ${mostDeleted})`.execute(
        trx,
      );
    }
  });
};

const firstOf = (nowMs: number, stepSeconds: number, steps: number): number =>
  (Math.floor(nowMs / (stepSeconds * 1000)) - (steps - 1)) * stepSeconds * 1000;

/** One point per step, up to the current step. */
export const readServerSeries = async (
  db: Kysely<Tables>,
  serverId: string,
  span: keyof typeof serverSpans,
  nowMs: number,
): Promise<ServerSeries> => {
  const { stepSeconds, steps } = serverSpans[span];
  const firstMs = firstOf(nowMs, stepSeconds, steps);
  const rows = await db
    .selectFrom('server_figures')
    .select([
      'at',
      sql<number | null>`players_sum / nullif(players_count, 0)`.as('players'),
      sql<number | null>`answer_ms_sum / nullif(answer_ms_count, 0)`.as('answerMs'),
    ])
    .where('server_id', '=', serverId)
    .where('step_seconds', '=', stepSeconds)
    .where('at', '>=', new Date(firstMs))
    .where('at', '<=', new Date(nowMs))
    .execute();
  const known = new Map(rows.map((row) => [row.at.getTime(), row]));
  const points = Array.from({ length: steps }, (_, index): ServerPoint => {
    const atMs = firstMs + index * stepSeconds * 1000;
    const { players = null, answerMs = null } = known.get(atMs) ?? {};
    return { at: new Date(atMs).toISOString(), players: rounded(players), answerMs: rounded(answerMs) };
  });
  return { stepSeconds, points };
};

/** The players of the last 24 hours, by server; a server without any data is missing. */
export const readDay = async (
  db: Kysely<Tables>,
  nowMs: number,
): Promise<ReadonlyMap<string, readonly (number | null)[]>> => {
  const { stepSeconds, steps } = dayOfServers;
  const firstMs = firstOf(nowMs, stepSeconds, steps);
  const { rows } = await sql<{ serverId: string; step: number; players: number }>`
    select server_id as "serverId", floor((extract(epoch from at) * 1000 - ${firstMs}::float8) / ${stepSeconds * 1000})::integer as step,
           sum(players_sum) / sum(players_count) as players
      from server_figures
     where step_seconds = ${serverSpans.day.stepSeconds} and at >= ${new Date(firstMs)} and at <= ${new Date(nowMs)}
     group by 1, 2 having sum(players_count) > 0`.execute(db);
  const byServer = new Map<string, (number | null)[]>();
  for (const { serverId, step, players } of rows) {
    const series = byServer.get(serverId) ?? Array.from({ length: steps }, () => null);
    series[step] = rounded(players);
    byServer.set(serverId, series);
  }
  return byServer;
};

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;
