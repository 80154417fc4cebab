import { type Kysely, type Selectable, sql } from 'kysely';
import type { PowerAction, TaskResult } from '#contracts/agent-tasks.ts';
import type { PowerAct } from '#contracts/power.ts';
import { actorKinds, actorReference } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { thisMachine } from '../access/authorize.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import type { PowerActsTable } from './power.tables.ts';

export type StoredAct = Selectable<PowerActsTable>;

export interface NewAct {
  /** Of its task. */
  readonly id: string;
  readonly serverId: string;
  readonly action: PowerAction;
  readonly countdownSeconds: number;
  readonly idempotencyKey: string | null;
}

export const findByKey = async (
  db: Kysely<Tables>,
  { actor }: AuditContext,
  key: string,
): Promise<StoredAct | undefined> =>
  db
    .selectFrom('power_acts')
    .selectAll()
    .where('actor', '=', actorReference(actor))
    .where('idempotency_key', '=', key)
    .executeTakeFirst();

export const findAct = (db: Kysely<Tables>, serverId: string, id: string): Promise<StoredAct | undefined> =>
  db
    .selectFrom('power_acts')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The one under way, the newest of two, and the one that ended last. */
export const readActs = async (db: Kysely<Tables>, serverId: string) => {
  const ofServer = db.selectFrom('power_acts').selectAll().where('server_id', '=', serverId);
  const act = await ofServer
    .where('ended_at', 'is', null)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const lastAct = await ofServer
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { act: act ?? null, lastAct: lastAct ?? null };
};

export const insertAct = async (trx: Kysely<Tables>, act: NewAct, by: AuditContext): Promise<StoredAct> => {
  const row = await trx
    .insertInto('power_acts')
    .values({
      id: act.id,
      server_id: act.serverId,
      action: act.action,
      countdown_seconds: act.countdownSeconds,
      actor: actorReference(by.actor),
      actor_name: by.actor.name,
      address: by.address,
      idempotency_key: act.idempotencyKey,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(trx, row, by, `servers.${act.action}`, { countdownSeconds: act.countdownSeconds });
  return row;
};

export const markCancelled = (db: Kysely<Tables>, row: StoredAct, by: AuditContext): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx.updateTable('power_acts').set({ is_cancelled: true }).where('id', '=', row.id).execute();
    await audit(trx, row, by, 'servers.power-cancelled', { action: row.action });
  });

/** Once, whichever process of the API comes first. */
export const endAct = (
  db: Kysely<Tables>,
  id: string,
  { outcome, detail }: Pick<TaskResult, 'outcome' | 'detail'>,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('power_acts')
      .set({ outcome, detail, ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (row)
      await audit(trx, row, whoAsked(row), 'servers.power-ended', { action: row.action, outcome, detail });
  });

/** As the act that they belong to has it. */
const whoAsked = ({ actor, actor_name: name, address }: StoredAct): AuditContext => {
  const [kind = '', ...id] = actor.split(':');
  const known = actorKinds.find((each) => each === kind) ?? 'local';
  return { actor: { ...thisMachine, kind: known, id: id.join(':'), name }, address };
};

const audit = (trx: Kysely<Tables>, row: StoredAct, by: AuditContext, action: string, after: object) =>
  recordAudit(trx, { ...by, action, target: `server:${row.server_id}`, after: { act: row.id, ...after } });

export const shownAct = (row: StoredAct, progress: PowerAct['progress']): PowerAct => ({
  id: row.id,
  action: row.action,
  countdownSeconds: row.countdown_seconds,
  byName: row.actor_name,
  requestedAt: row.requested_at.toISOString(),
  progress: row.ended_at === null ? progress : null,
  isCancelled: row.is_cancelled,
  outcome: row.outcome,
  detail: row.detail,
  endedAt: row.ended_at?.toISOString() ?? null,
});

/** Those that ended before the retention; they are few, since people ask for them. @returns how many */
export const deleteOldActs = async (db: Kysely<Tables>, retentionDays: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('power_acts')
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${retentionDays})`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
