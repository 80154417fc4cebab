import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql, type UpdateObject } from 'kysely';
import { type ProblemCode, problems } from '#contracts/kernel/problems.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import { restoreRunFaults } from '#contracts/operations/restore-run-faults.ts';
import type { RestoreRun, RestoreRunRequest, SaveAct, SaveRequest } from '#contracts/servers/saves.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { makerReference, stillMay } from '../../identity/still-may.ts';
import { actorReference, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isTaken } from '../../kernel/database/unique-violation.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { whoAsked } from '../agent-acts.ts';
import type { Power } from '../power/power.ts';

type Row = Selectable<Tables['restore_runs']>;

const usualRoundMs = 1000;
/** Without a run of this process, in beats: another process may have died. */
const idleBeats = 5;

const minuteMs = 60_000;
/** An event tells of a step that has waited for so long. */
const tellsAfterMs = minuteMs;
/** How long a step waits for what passes by itself. A game that runs may not have reported its stop yet. */
const patienceMs: Partial<Record<ProblemCode, number>> = {
  SAVES_GAME_RUNNING: minuteMs / 2,
  SAVES_BUSY: 15 * minuteMs,
  SAVES_AGENT_AWAY: 15 * minuteMs,
  POWER_BUSY: 15 * minuteMs,
  POWER_AGENT_AWAY: 15 * minuteMs,
};

/**
 * Restores that stop the game, replace its worlds and start it again, also while no one watches. Every step asks for its act by a key of its
 * own, and the row goes on only from the step that was read: any process may do it, and after a kill at any moment.
 */
export const createRestoreRuns = ({
  db,
  power,
  replace,
  isRunning,
  licenseHolds,
  roundMs = usualRoundMs,
  log,
}: Pick<Kernel, 'db' | 'log'> & {
  readonly power: Power;
  /** Asks for the act that replaces the worlds; with the same key, returns the act that was asked for. */
  readonly replace: (
    serverId: string,
    request: SaveRequest,
    key: string,
    by: AuditContext,
  ) => Promise<SaveAct | Refusal>;
  /** The game runs, as far as anyone can tell. */
  readonly isRunning: (serverId: string) => boolean;
  /** While it does not, agents are away and nothing goes on or is given up. */
  readonly licenseHolds: () => boolean;
  /** How often the next step of each run is looked at. */
  readonly roundMs?: number | undefined;
}) => {
  let isPrepared = false;
  let hasOpen = true;
  let beat = 0;

  /** Nothing if another process has gone on already. */
  const update = (on: Kysely<Tables>, { id, step }: Row, changes: UpdateObject<Tables, 'restore_runs'>) =>
    on
      .updateTable('restore_runs')
      .set(changes)
      .where('id', '=', id)
      .where('step', '=', step)
      .where('ended_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
  const end = (row: Row, result: Pick<Row, 'step' | 'outcome' | 'problem' | 'detail'>) =>
    db.transaction().execute(async (trx) => {
      const ended = await update(trx, row, { ...result, ended_at: sql<Date>`clock_timestamp()` });
      if (!ended) return;
      const { id: run, server_id: serverId, action, backup } = row;
      if (result.outcome === 'failed') {
        const code = faultOf(result.problem);
        const detail = result.detail ?? (code === null ? (result.problem ?? '') : '');
        await recordEvent(
          trx,
          'saves.restore-failed',
          { ...(await toldOf(trx, row)), step: result.step, code, detail },
          { serverId },
        );
      }
      await recordAudit(trx, {
        ...whoAsked(row),
        action: 'saves.restore-run-ended',
        target: `server:${serverId}`,
        after: { run, action, backup, ...result },
      });
    });
  const toldOf = async (on: Kysely<Tables>, row: Row) => {
    const { name } = await on
      .selectFrom('game_servers')
      .select('name')
      .where('id', '=', row.server_id)
      .executeTakeFirstOrThrow();
    return { name, backup: row.backup, by: row.actor_name };
  };
  const fail = (row: Row, { refused, detail }: Refusal) =>
    end(row, { step: row.step, outcome: 'failed', problem: refused, detail: detail ?? null });
  /** @returns whether the step has waited long enough */
  const isGivenUp = async (row: Row, { refused }: Refusal): Promise<boolean> => {
    const mostMs = patienceMs[refused];
    if (mostMs === undefined) return true;
    const waiting = await update(db, row, {
      waits_since: sql<Date>`coalesce(waits_since, clock_timestamp())`,
    });
    if (!waiting?.waits_since) return false;
    const { rows } = await sql<{ waited_ms: number }>`
      select extract(epoch from clock_timestamp() - castellan_unproven_time(${waiting.waits_since}::timestamptz) - ${waiting.waits_since}::timestamptz)::float8 * 1000 as waited_ms`.execute(
      db,
    );
    const waitedMs = rows[0]?.waited_ms ?? 0;
    if (waitedMs > mostMs) return true;
    if (waitedMs > tellsAfterMs && !waiting.waits_told) await tellOfWaiting(row, refused);
    return false;
  };
  const tellOfWaiting = (row: Row, refused: ProblemCode) =>
    db.transaction().execute(async (trx) => {
      const updated = await trx
        .updateTable('restore_runs')
        .set({ waits_told: true })
        .where('id', '=', row.id)
        .where('step', '=', row.step)
        .where('waits_told', '=', false)
        .returning('id')
        .executeTakeFirst();
      if (!updated) return;
      const told = { ...(await toldOf(trx, row)), step: row.step, code: faultOf(refused) };
      await recordEvent(trx, 'saves.restore-waits', told, { serverId: row.server_id });
    });
  /**
   * What would change something needs the right that the run began with; what has begun goes on to its end.
   * @param acts the table of the step's act
   */
  const hasLostRight = async (row: Row, acts: 'power_acts' | 'save_acts'): Promise<boolean> => {
    const { actor, server_id: serverId, maker } = row;
    const needed =
      acts === 'save_acts' ? (['saves.write'] as const) : (['saves.write', 'servers.power'] as const);
    const may = await Promise.all(
      needed.map((permission) => stillMay(db, maker ?? actor, permission, serverId)),
    );
    if (may.every(Boolean)) return false;
    const begun = await db
      .selectFrom(acts)
      .select('id')
      .where('actor', '=', actor)
      .where('idempotency_key', '=', keyOf(row))
      .executeTakeFirst();
    return begun === undefined;
  };

  const stop = async (row: Row): Promise<unknown> => {
    const { server_id: serverId, countdown_seconds: countdownSeconds } = row;
    if (await hasLostRight(row, 'power_acts'))
      return end(row, { step: 'stopping', outcome: 'failed', ...rightLost(row) });
    const request = { action: 'stop' as const, ...(countdownSeconds !== null && { countdownSeconds }) };
    const act = await power.act(serverId, request, keyOf(row), actingFor(row));
    if (isRefusal(act)) return (await isGivenUp(row, act)) && fail(row, act);
    if (act.outcome === null) return;
    if (act.outcome === 'done')
      return update(db, row, { step: 'restoring', waits_since: null, waits_told: false });
    const outcome = act.outcome === 'cancelled' ? 'cancelled' : 'failed';
    return end(row, { step: 'stopping', outcome, problem: null, detail: act.detail });
  };

  const restore = async (row: Row): Promise<unknown> => {
    const { action, backup } = row;
    if (await hasLostRight(row, 'save_acts')) {
      // Its own stop is taken back; a game that did not run is not started without the right to.
      if (row.stops) return settle(row, 'failed', rightLost(row));
      return end(row, { step: 'restoring', outcome: 'failed', ...rightLost(row) });
    }
    const act = await replace(row.server_id, { action, backup }, keyOf(row), actingFor(row));
    if (isRefusal(act)) {
      if (!(await isGivenUp(row, act))) return;
      // Someone has started it: it is not stopped again, and its worlds are untouched.
      if (act.refused === 'SAVES_GAME_RUNNING' || !row.starts) return fail(row, act);
      return settle(row, 'failed', { problem: act.refused, detail: act.detail ?? null });
    }
    if (act.outcome === null) return;
    const { detail, outcome } = act;
    // Nothing is known of the worlds: a person has to look first.
    if (outcome === 'unknown' || outcome === 'expired')
      return end(row, { step: 'restoring', outcome: 'failed', problem: null, detail });
    return settle(row, outcome === 'done' || outcome === 'cancelled' ? outcome : 'failed', {
      problem: null,
      detail,
    });
  };
  const settle = (
    row: Row,
    settled: NonNullable<Row['settled']>,
    why: Pick<Row, 'problem' | 'detail'>,
  ): Promise<unknown> =>
    row.starts
      ? update(db, row, { step: 'starting', settled, waits_since: null, waits_told: false, ...why })
      : end(row, { step: 'restoring', outcome: settled, ...why });

  const start = async (row: Row): Promise<unknown> => {
    const { server_id: serverId, settled, problem, detail } = row;
    const finish = () =>
      end(row, {
        step: settled === 'done' ? 'starting' : 'restoring',
        outcome: settled ?? 'done',
        problem,
        detail,
      });
    const act = await power.act(serverId, { action: 'start' }, keyOf(row), actingFor(row));
    if (!isRefusal(act) && act.outcome === null) return;
    if (isRunning(serverId) || (!isRefusal(act) && act.outcome === 'done')) return finish();
    if (settled !== 'done') return finish();
    if (isRefusal(act)) return (await isGivenUp(row, act)) && fail(row, act);
    return end(row, { step: 'starting', outcome: 'failed', problem: null, detail: act.detail });
  };
  const steps = { stopping: stop, restoring: restore, starting: start };

  const work = singleFlight(async (): Promise<void> => {
    const rows = await db.selectFrom('restore_runs').selectAll().where('ended_at', 'is', null).execute();
    hasOpen = rows.length > 0;
    for (const row of rows)
      await steps[row.step](row).catch((error: unknown) =>
        log.debug({ err: error, run: row.id }, 'could not continue a restore; will retry'),
      );
  });
  const rounds = runPeriodically({
    intervalMs: roundMs,
    async work() {
      beat += 1;
      if (!isPrepared || !licenseHolds() || (!hasOpen && beat % idleBeats !== 0)) return;
      await work();
    },
    failure: 'could not look for restores; will retry',
    log,
  });

  const find = async (key: string | null, { actor }: AuditContext): Promise<Row | null> => {
    if (key === null) return null;
    const row = await db
      .selectFrom('restore_runs')
      .selectAll()
      .where('actor', '=', actorReference(actor))
      .where('idempotency_key', '=', key)
      .executeTakeFirst();
    return row ?? null;
  };
  const ofKey = async (
    serverId: string,
    request: RestoreRunRequest,
    key: string | null,
    by: AuditContext,
  ): Promise<RestoreRun | Refusal | null> => {
    const row = await find(key, by);
    if (!row) return null;
    const isSame = row.server_id === serverId && row.request === JSON.stringify(request);
    return isSame ? shown(row) : refuse('IDEMPOTENCY_MISMATCH');
  };

  return {
    /** The run that an earlier request with this key began. */
    ofKey,
    /** The caller has checked everything but the game's process. */
    async begin(
      serverId: string,
      request: RestoreRunRequest,
      key: string | null,
      by: AuditContext,
    ): Promise<RestoreRun | Refusal> {
      const { action, backup, countdownSeconds, starts } = request;
      const stops = isRunning(serverId);
      if (stops || starts) {
        if (!may(by.actor, 'servers.power', serverId))
          return refuse('FORBIDDEN', 'This needs the permission servers.power for this server.');
        const obstacle = power.obstacle(serverId);
        if (obstacle) return refuse(obstacle, problems[obstacle].remedy);
      }
      try {
        const row = await db.transaction().execute(async (trx) => {
          const begun = await trx
            .insertInto('restore_runs')
            .values({
              id: createId(),
              server_id: serverId,
              action,
              backup,
              request: JSON.stringify(request),
              countdown_seconds: countdownSeconds ?? null,
              starts,
              step: stops ? 'stopping' : 'restoring',
              stops,
              maker: makerReference(by.actor),
              actor: actorReference(by.actor),
              actor_name: by.actor.name,
              address: by.address,
              idempotency_key: key,
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          const after = { run: begun.id, action, backup, stops, starts };
          await recordAudit(trx, { ...by, action: 'saves.restore-run', target: `server:${serverId}`, after });
          return begun;
        });
        hasOpen = true;
        return shown(row);
      } catch (error) {
        if (isTaken(error, 'restore_runs_key')) {
          const same = await ofKey(serverId, request, key, by);
          if (same) return same;
        }
        if (!isTaken(error, 'restore_runs_open') && !isTaken(error, 'restore_runs_key')) throw error;
        return (await ofKey(serverId, request, key, by)) ?? refuse('SAVES_BUSY');
      }
    },
    async newest(serverId: string): Promise<RestoreRun | null> {
      const row = await db
        .selectFrom('restore_runs')
        .selectAll()
        .where('server_id', '=', serverId)
        .orderBy('requested_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? shown(row) : null;
    },
    /** Call it once the schema is in place. */
    prepare(): void {
      isPrepared = true;
    },
    [Symbol.dispose]: () => rounds[Symbol.dispose](),
  };
};

const keyOf = ({ id, step }: Row): string => `restore-run:${id}:${step}`;

const rightLost = ({ actor_name: name }: Row): Pick<Row, 'problem' | 'detail'> => ({
  problem: null,
  detail: reasons['restore-right-lost'](name),
});

const faultOf = (problem: string | null) => restoreRunFaults.find((code) => code === problem) ?? null;

/** The person's right was checked before each step that changes something. */
const actingFor = (row: Row): AuditContext => {
  const { actor, address } = whoAsked(row);
  const permissions = new Set(['saves.write', 'servers.power'] as const);
  return { actor: { ...actor, permissions, steppedUp: true }, address };
};

const shown = (row: Row): RestoreRun => ({
  id: row.id,
  action: row.action,
  backup: row.backup,
  byName: row.actor_name,
  requestedAt: row.requested_at.toISOString(),
  step: row.step,
  outcome: row.outcome,
  problem: row.problem,
  detail: row.outcome === null ? null : row.detail,
  endedAt: row.ended_at?.toISOString() ?? null,
});

/** Deletes runs that ended before the retention period. @returns how many */
export const deleteOldRestoreRuns = async (db: Kysely<Tables>, retentionDays: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('restore_runs')
    .where('ended_at', '<', sql<Date>`castellan_proven_now() - make_interval(days => ${retentionDays})`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
