import { type Kysely, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { batchRows, deleteInBatches } from '../../kernel/logs/delete-in-batches.ts';

interface HeardPage {
  readonly rows: { readonly id: string; readonly at: string; readonly text: string }[];
  readonly nextCursor: string | null;
}

/** What consoles push to the API itself, kept over its restarts: a bounded number of lines per server, and for a week at most. */
export type HeardLines = ReturnType<typeof createHeardLines>;

const flushMs = 500;
const longestLine = 4000;
/** Lines of all servers that wait for the database: while it is unavailable, the oldest are dropped. */
const mostWaiting = 10_000;
/** The share beyond the most that is deleted together. */
const spareShare = 0.1;
const keptDays = 7;
const lineId = /^heard-(\d{1,18})$/;

interface WaitingLine {
  readonly server_id: string;
  readonly at: Date;
  readonly text: string;
}

export const createHeardLines = ({
  db,
  log,
  mostLines = 10_000,
}: {
  readonly db: Kysely<Tables>;
  readonly log: Log;
  /** Per server, the newest. */
  readonly mostLines?: number;
}) => {
  let waiting: WaitingLine[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;
  /** By server: lines since its oldest were last deleted; unknown before the first time. */
  const sinceTrim = new Map<string, number>();

  const trim = async (serverId: string, added: number) => {
    const count = (sinceTrim.get(serverId) ?? Number.POSITIVE_INFINITY) + added;
    sinceTrim.set(serverId, count);
    if (count < mostLines * spareShare) return;
    await sql`
      delete from console_lines where server_id = ${serverId} and id <= (
        select id from console_lines where server_id = ${serverId} order by id desc offset ${mostLines} limit 1)`.execute(
      db,
    );
    sinceTrim.set(serverId, 0);
  };

  const write = async () => {
    const lines = waiting;
    waiting = [];
    try {
      await sql`
        insert into console_lines (server_id, at, text)
        select server_id, line.at, text
          from unnest(${lines.map(({ server_id }) => server_id)}::text[], ${lines.map(({ at }) => at)}::timestamptz[],
                      ${lines.map(({ text }) => text)}::text[]) with ordinality as line (server_id, at, text, place)
          join game_servers on game_servers.id = server_id
         order by place`.execute(db);
    } catch (error) {
      waiting = [...lines, ...waiting].slice(-mostWaiting);
      schedule();
      if (isDatabaseAway(error)) log.debug({ err: error }, 'console lines are waiting for the database');
      else log.warn({ err: error }, 'could not write console lines');
      return;
    }
    try {
      for (const [serverId, own] of Map.groupBy(lines, ({ server_id }) => server_id))
        await trim(serverId, own.length);
    } catch (error) {
      log.debug({ err: error }, 'could not delete old console lines yet');
    }
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    await writing;
    if (waiting.length === 0) return;
    writing = write().finally(() => {
      writing = null;
    });
    await writing;
  };
  const schedule = () => {
    timer ??= setTimeout(() => void flush(), flushMs).unref();
  };

  return {
    /** Masked before. */
    add(serverId: string, at: Date, text: string): void {
      waiting.push({ server_id: serverId, at, text: storableText(text, longestLine) });
      if (waiting.length > mostWaiting * (1 + spareShare)) waiting = waiting.slice(-mostWaiting);
      schedule();
    },
    /** Newest first. */
    async page(
      serverId: string,
      {
        cursor,
        search,
        limit,
      }: {
        readonly cursor: string | null;
        readonly search: string | null;
        readonly limit: number;
      },
    ): Promise<HeardPage | 'nothing heard' | 'no such place'> {
      const before = cursor === null ? null : lineId.exec(cursor)?.[1];
      if (before === undefined) return 'no such place';
      await flush();
      const rows = await db
        .selectFrom('console_lines')
        .select(['id', 'at', 'text'])
        .where('server_id', '=', serverId)
        .$if(before !== null, (query) => query.where(sql<boolean>`id < ${before}::bigint`))
        .$if(search !== null, (query) =>
          query.where('text', 'ilike', `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`),
        )
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      if (rows.length === 0 && before === null && !(await hasHeard(db, serverId))) return 'nothing heard';
      const shown = rows.slice(0, limit).map(({ id, at, text }) => ({
        id: `heard-${id}`,
        at: at.toISOString(),
        text,
      }));
      return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
    },
    async [Symbol.asyncDispose]() {
      await flush();
      clearTimeout(timer);
    },
  };
};

const hasHeard = async (db: Kysely<Tables>, serverId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('console_lines')
    .select('id')
    .where('server_id', '=', serverId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** Oldest first, in batches. @param signal ends the work after the current batch @returns how many were deleted */
export const deleteOldLines = (db: Kysely<Tables>, signal: AbortSignal): Promise<number> => {
  let beyond = '0';
  return deleteInBatches(signal, async () => {
    const { rows } = await sql<{ readonly deleted: number; readonly last: string | null }>`
      with batch as materialized (
        select id, at from console_lines where id > ${beyond}::bigint order by id limit ${batchRows}
      ), gone as (
        delete from console_lines where id in (
          select id from batch where at < castellan_proven_now() - make_interval(days => ${keptDays}))
        returning id
      )
      select (select count(*)::int from gone) as deleted, (select max(id) from batch) as last`.execute(db);
    const { deleted = 0, last = null } = rows[0] ?? {};
    beyond = last ?? beyond;
    // Lines are numbered as they come: after a batch without an old one there is none.
    return { deleted, isLast: deleted === 0 };
  });
};
