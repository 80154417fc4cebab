import { type Kysely, sql } from 'kysely';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import type { CheckFindings } from '../../kernel/database/stored-values.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import type { ModSources } from '../sources/mod-source.ts';
import { lookForUpdates } from './look-for-updates.ts';

export interface ModCheck {
  readonly at: string;
  readonly nextAt: string;
  readonly findings: CheckFindings;
}

export type UpdateChecks = ReturnType<typeof createUpdateChecks>;

const lookEveryMs = 60_000;
/** A longer check is abandoned; after a kill, another process takes over at this time. */
const leaseMinutes = 10;
const whileAwayMinutes = 15;
const mostNamed = 10;

/** One process at a time checks a server, at the server's own time, so that sources do not get all requests together. */
export const createUpdateChecks = (options: {
  readonly db: Kysely<Tables>;
  readonly sources: ModSources;
  /** As the server's agent last reported; null: none has. */
  readonly listOf: (serverId: string) => Promise<ModsList | null>;
  /** Keys of mods that keep their version. */
  readonly pinnedOf: (serverId: string) => Promise<ReadonlySet<string>>;
  /** The time between two checks of a server. */
  readonly hours: () => Promise<number>;
  readonly log: Log;
}) => {
  const { db, sources, listOf, pinnedOf, hours, log } = options;
  const ending = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let timer: Disposable | null = null;

  const claim = async (serverId: string): Promise<boolean> => {
    await db
      .insertInto('mod_checks')
      .values({ server_id: serverId, checked_at: null, leased_until: null, told: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const claimed = await db
      .updateTable('mod_checks')
      .set({ leased_until: sql<Date>`now() + make_interval(mins => ${leaseMinutes})` })
      .where('server_id', '=', serverId)
      .where(sql<boolean>`(leased_until is null or leased_until < now())`)
      .returning('server_id')
      .executeTakeFirst();
    return claimed !== undefined;
  };
  /** Slightly earlier or later each time, so that servers added together drift apart. */
  const nextCheck = async () => {
    const seconds = (await hours()) * 3600 * (0.9 + Math.random() * 0.2);
    return sql<Date>`now() + make_interval(secs => ${seconds})`;
  };
  const postpone = (serverId: string) =>
    db
      .updateTable('mod_checks')
      .set({ leased_until: null, next_at: sql<Date>`now() + make_interval(mins => ${whileAwayMinutes})` })
      .where('server_id', '=', serverId)
      .execute();

  const keep = async (serverId: string, list: ModsList, found: CheckFindings) => {
    const next_at = await nextCheck();
    await db.transaction().execute(async (trx) => {
      const before = await trx
        .selectFrom('mod_checks')
        .innerJoin('game_servers', 'game_servers.id', 'mod_checks.server_id')
        .select(['told', 'game_servers.name'])
        .where('server_id', '=', serverId)
        .forUpdate('mod_checks')
        .executeTakeFirstOrThrow();
      const told = new Set(before.told?.split('\n'));
      const updates = Object.entries(found.updates);
      const now = updates.map(([key, { version }]) => `${key}@${version}`).sort();
      await trx
        .updateTable('mod_checks')
        .set({
          checked_at: sql<Date>`now()`,
          next_at,
          leased_until: null,
          found: JSON.stringify(found),
          told: now.join('\n'),
        })
        .where('server_id', '=', serverId)
        .execute();
      if (now.every((update) => told.has(update))) return;
      const names = updates.map(([key]) => list.installed.find((mod) => mod.key === key)?.name ?? key);
      await recordEvent(
        trx,
        'mods.updates',
        { name: before.name, count: updates.length, mods: names.sort().slice(0, mostNamed) },
        { serverId },
      );
    });
  };

  const run = async (serverId: string): Promise<void> => {
    if (!(await claim(serverId))) return;
    try {
      const [list, pinned, row] = await Promise.all([
        listOf(serverId),
        pinnedOf(serverId),
        db
          .selectFrom('mod_checks')
          .innerJoin('game_servers', 'game_servers.id', 'mod_checks.server_id')
          .select(['found', 'game_servers.game'])
          .where('server_id', '=', serverId)
          .executeTakeFirstOrThrow(),
      ]);
      if (list === null) {
        await postpone(serverId);
        return;
      }
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(leaseMinutes * 60_000)]);
      const found = await lookForUpdates({ game: row.game, list, pinned }, sources, row.found, signal);
      await keep(serverId, list, found);
    } catch (error) {
      await postpone(serverId);
      throw error;
    }
  };
  const check = (serverId: string): Promise<void> => {
    const running = underWay.get(serverId) ?? run(serverId).finally(() => underWay.delete(serverId));
    underWay.set(serverId, running);
    return running;
  };

  const dueServers = async (): Promise<string[]> => {
    const rows = await db
      .selectFrom('game_servers as server')
      .leftJoin('mod_checks as checked', 'checked.server_id', 'server.id')
      .select('server.id')
      .where('server.archived_at', 'is', null)
      .where(sql<boolean>`coalesce(checked.next_at <= now(), true)`)
      .orderBy(sql`checked.next_at nulls first`)
      .execute();
    return rows.map(({ id }) => id);
  };
  const checkDue = singleFlight(async () => {
    for (const serverId of await dueServers()) {
      if (ending.signal.aborted) return;
      await check(serverId).catch((error: unknown) =>
        log.warn({ err: error, serverId }, 'could not check for mod updates; will retry later'),
      );
    }
  });

  return {
    /** Null: there was none. */
    async read(serverId: string): Promise<ModCheck | null> {
      const row = await db
        .selectFrom('mod_checks')
        .select(['checked_at', 'found', 'next_at'])
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      if (!row?.checked_at || !row.found) return null;
      return {
        at: row.checked_at.toISOString(),
        nextAt: row.next_at.toISOString(),
        findings: row.found,
      };
    },
    /** Runs a check, or joins one that is running. */
    check,
    async prepare(): Promise<void> {
      timer ??= runPeriodically({
        intervalMs: lookEveryMs,
        startsAtOnce: true,
        work: checkDue,
        failure: 'could not check for mod updates; will retry',
        log,
      });
    },
    async [Symbol.asyncDispose]() {
      timer?.[Symbol.dispose]();
      ending.abort();
      await Promise.allSettled([checkDue.underWay(), ...underWay.values()]);
    },
  };
};
