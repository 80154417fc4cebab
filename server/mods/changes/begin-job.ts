import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { ModsJobRequest } from '#contracts/mods/mods-http.ts';
import type { ModsChange, ModsList } from '#contracts/servers/agent-mods.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isTaken } from '../../kernel/database/unique-violation.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { ModPlanRow } from '../plan/mod-plans.ts';
import { provenSet } from '../plan/proven-set.ts';
import type { ModJobRow } from './job-rows.ts';

export interface JobOrigin {
  /** Null: a repetition counts as another request. */
  readonly key: string | null;
  /** A wave has at most one job per server. */
  readonly wave: string | null;
}

interface NewJob {
  readonly serverId: string;
  readonly request: ModsJobRequest;
  readonly origin: JobOrigin;
  readonly by: AuditContext;
  /** Why it cannot begin now, or what to ask of the agent besides the plan. */
  readonly prepare: (plan: ModPlanRow) => Promise<PreparedJob | Refusal>;
}

interface PreparedJob {
  readonly how: Pick<ModsChange, 'watch' | 'countdown' | 'backup' | 'rehearse'>;
  /** The list that the plan was made for. */
  readonly list: ModsList;
}

/** Jobs of one server that wait or are running. */
const mostOpen = 10;

const findPlan = async (db: Kysely<Tables>, { serverId, request }: NewJob): Promise<ModPlanRow | Refusal> => {
  const row = await db
    .selectFrom('mod_plans')
    .selectAll()
    .select(sql<boolean>`expires_at > now()`.as('isInTime'))
    .where('id', '=', request.plan)
    .where('server_id', '=', serverId)
    .executeTakeFirst();
  // Old plans are deleted.
  if (!row?.isInTime) return refuse('MOD_PLAN_OUTDATED');
  if (row.lines.length === 0) return refuse('MOD_PLAN_BLOCKED', 'The plan changes nothing.');
  return row.faults.some(({ isBlocking }) => isBlocking) ? refuse('MOD_PLAN_BLOCKED') : row;
};

const findSame = async (db: Kysely<Tables>, job: NewJob): Promise<ModJobRow | Refusal | null> => {
  const { origin, by, serverId } = job;
  const ofWave =
    origin.wave === null
      ? undefined
      : await db
          .selectFrom('mod_jobs')
          .selectAll()
          .where('wave', '=', origin.wave)
          .where('server_id', '=', serverId)
          .executeTakeFirst();
  if (ofWave) return ofWave;
  if (origin.key === null) return null;
  const row = await db
    .selectFrom('mod_jobs')
    .selectAll()
    .where('actor', '=', actorReference(by.actor))
    .where('idempotency_key', '=', origin.key)
    .executeTakeFirst();
  if (!row) return null;
  return row.server_id === serverId && row.request === JSON.stringify(job.request)
    ? row
    : refuse('IDEMPOTENCY_MISMATCH');
};

/** Whether a wave may begin another server; it does not end before the transaction does. */
const goesOn = async (trx: Kysely<Tables>, wave: string): Promise<boolean> => {
  const open = await trx
    .selectFrom('mod_waves')
    .select('id')
    .where('id', '=', wave)
    .where('ended_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (!open) return false;
  const failed = await trx
    .selectFrom('mod_jobs')
    .select('id')
    .where('wave', '=', wave)
    .where('state', 'in', ['failed', 'cancelled', 'unknown'])
    .limit(1)
    .executeTakeFirst();
  return failed === undefined;
};

/** The job that an earlier request with the same key began, or a new one, which waits to be sent. */
export const beginJob = async (db: Kysely<Tables>, job: NewJob): Promise<ModJobRow | Refusal> => {
  const before = await findSame(db, job);
  if (before) return before;
  const { serverId, request, origin, by } = job;
  const plan = await findPlan(db, job);
  if (isRefusal(plan)) return plan;
  const prepared = await job.prepare(plan);
  if (isRefusal(prepared)) return prepared;
  const change: ModsChange = { base: Number(plan.base), ...plan.change, ...prepared.how };
  const proves = origin.wave === null ? null : provenSet(prepared.list, plan.change);
  const id = randomUUID();
  try {
    return await db.transaction().execute(async (trx) => {
      // Serializes the count; rows that merely refer to the server do not wait.
      await trx.selectFrom('game_servers').select('id').where('id', '=', serverId).forNoKeyUpdate().execute();
      if (origin.wave !== null && !(await goesOn(trx, origin.wave)))
        return refuse('MODS_BUSY', 'The wave has ended, or a server of it has failed.');
      const { open } = await trx
        .selectFrom('mod_jobs')
        .select(sql<number>`count(*)::int`.as('open'))
        .where('server_id', '=', serverId)
        .where('state', 'in', ['waiting', 'running'])
        .executeTakeFirstOrThrow();
      if (open >= mostOpen) return refuse('MODS_BUSY', `${open} changes wait already.`);
      const row = await trx
        .insertInto('mod_jobs')
        .values({
          id,
          server_id: serverId,
          kind: plan.kind,
          request: JSON.stringify(request),
          change: JSON.stringify(change),
          inverse: plan.inverse && JSON.stringify(plan.inverse),
          lines: JSON.stringify(plan.lines),
          wave: origin.wave,
          proves: proves && JSON.stringify(proves),
          actor: actorReference(by.actor),
          actor_name: by.actor.name,
          address: by.address,
          idempotency_key: origin.key,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordAudit(trx, {
        ...by,
        action: 'mods.change',
        target: `server:${serverId}`,
        after: {
          job: id,
          kind: plan.kind,
          wave: origin.wave,
          lines: plan.lines.map(({ change: what, key, from, to }) => ({ change: what, key, from, to })),
        },
      });
      return row;
    });
  } catch (error) {
    // The same request ran at the same time, or its commit succeeded but the reply to it was lost.
    const same = isTaken(error, 'mod_jobs_key') || isTaken(error, 'mod_jobs_wave');
    const found = same
      ? await findSame(db, job)
      : await db
          .selectFrom('mod_jobs')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst()
          .catch(() => null);
    if (found) return found;
    throw error;
  }
};
