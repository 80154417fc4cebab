import { createId } from '@paralleldrive/cuid2';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { actorKinds } from '#contracts/kernel/audit.ts';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import type { AgentTask, TaskProgress, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { actorReference } from '../kernel/access/actor.ts';
import type { AuditContext } from '../kernel/access/audit-context.ts';
import { thisMachine } from '../kernel/access/authorize.ts';
import { recordAudit } from '../kernel/audit/record-audit.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { isTaken } from '../kernel/database/unique-violation.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/http/refusal.ts';
import type { AgentTasks } from './agent-tasks.ts';

/** Their unique indexes are `<table>_open`, for acts that exclude each other, and `<table>_key`. */
type ActsTable = 'power_acts' | 'save_acts';
/** What both tables have in common. An act is under way until `ended_at` is set; its id is that of its task. */
type ActColumns = Pick<
  Tables['power_acts'],
  Exclude<keyof Tables['power_acts'] & keyof Tables['save_acts'], 'action'>
>;
type Row<Table extends ActsTable> = Selectable<ActColumns> & Selectable<Tables[Table]>;

interface AgentActsOptions<Table extends ActsTable> {
  readonly db: Kysely<Tables>;
  readonly table: Table;
  readonly tasks: Pick<AgentTasks, 'start' | 'get' | 'cancel' | 'onChange'>;
  /** The names of audit entries, and what they say about an act besides its id. */
  readonly audit: {
    readonly cancelled: AuditAction;
    readonly ended: AuditAction;
    readonly of: (row: Row<Table>) => object;
  };
  /** In the transaction in which an act ends. @returns what the audit log says about it besides */
  readonly onEnd?: (trx: Kysely<Tables>, row: Row<Table>, result: TaskResult) => Promise<object>;
  /** Called once that has committed. */
  readonly onEnded?: (serverId: string) => void;
  readonly log: Log;
}

interface NewAct<Table extends ActsTable> {
  readonly task: AgentTask;
  /** An agent that has not taken it when this time is over never does. */
  readonly expiresInMs: number;
  readonly columns: Omit<Insertable<Tables[Table]>, keyof ActColumns>;
  readonly audit: { readonly action: AuditAction; readonly after: object };
}

interface ActRequest<Table extends ActsTable> {
  readonly serverId: string;
  /** Null: a repetition is a new request. */
  readonly key: string | null;
  readonly by: AuditContext;
  /** Whether this very request asked for an act of the same caller and key. */
  readonly isSame: (row: Row<Table>) => boolean;
  readonly prepare: () => Promise<NewAct<Table> | Refusal>;
  readonly busy: (open: Row<Table> | null) => Refusal;
}

/** Acts that people ask for and agents carry out: rows next to agents' tasks. */
interface AgentActs<Table extends ActsTable> extends AsyncDisposable {
  /** The act that an earlier request with the same key began, or a new one. */
  ask(request: ActRequest<Table>): Promise<Row<Table> | Refusal>;
  find(serverId: string, id: string): Promise<Row<Table> | null>;
  /** The act under way, the newest of several, and the one that ended last. */
  read(serverId: string): Promise<{ readonly act: Row<Table> | null; readonly lastAct: Row<Table> | null }>;
  cancel(row: Row<Table>, by: AuditContext): Promise<Row<Table>>;
  progressOf(row: Row<Table>): Promise<TaskProgress | null>;
  /** Resumes what was under way before this process. May be called again. */
  prepare(): Promise<void>;
}

interface CommonTables {
  acts: ActColumns;
}

const lookEveryMs = 1000;
const takeUpEveryMs = 5000;

/** Ends that only say that nothing is known: a later report of the agent replaces them. */
const supposedEnds = ['unknown', 'expired'] as const;
const supposed = sql.join(supposedEnds.map((outcome) => sql.lit(outcome)));
const isOpenTo = ({ outcome }: TaskResult) =>
  supposedEnds.some((end) => end === outcome)
    ? sql<boolean>`ended_at is null`
    : sql<boolean>`(ended_at is null or outcome in (${supposed}))`;

const lost: TaskResult = { outcome: 'unknown', detail: 'Nothing is known of this any more.', value: null };

export const createAgentActs = <const Table extends ActsTable>(
  options: AgentActsOptions<Table>,
): AgentActs<Table> => {
  const { db, tasks, log, onEnd, onEnded } = options;
  // What all these tables have in common can be queried from each in the same way.
  const table = options.table as unknown as 'acts';
  const common = (on: Kysely<Tables>) => on as unknown as Kysely<CommonTables>;
  const asRow = (row: Selectable<ActColumns> | undefined) => (row ?? null) as Row<Table> | null;

  /** Acts under way, by server. */
  const open = new Map<string, Set<string>>();
  const opened = (serverId: string, id: string) => {
    open.set(serverId, (open.get(serverId) ?? new Set()).add(id));
  };
  const looking = new Map<string, Promise<void>>();

  const audit = (
    trx: Kysely<Tables>,
    row: Row<Table>,
    by: AuditContext,
    action: AuditAction,
    after: object,
  ) =>
    recordAudit(trx, { ...by, action, target: `server:${row.server_id}`, after: { act: row.id, ...after } });

  /** Once, no matter which process of the API comes first. */
  const end = (id: string, result: TaskResult) =>
    db.transaction().execute(async (trx) => {
      const { outcome, detail } = result;
      const ended = await common(trx)
        .updateTable(table)
        .set({ outcome, detail, ended_at: sql<Date>`coalesce(ended_at, now())` })
        .where('id', '=', id)
        .where(isOpenTo(result))
        .returningAll()
        .executeTakeFirst();
      const row = asRow(ended);
      if (!row) return;
      const { ended: action, of } = options.audit;
      const more = await onEnd?.(trx, row, result);
      await audit(trx, row, whoAsked(row), action, { ...of(row), ...more, outcome, detail });
    });
  const look = async (serverId: string, id: string): Promise<void> => {
    const task = await tasks.get(serverId, id);
    if (task && task.result === null) return;
    await end(id, task?.result ?? lost);
    const own = open.get(serverId);
    own?.delete(id);
    if (own?.size === 0) open.delete(serverId);
    onEnded?.(serverId);
  };
  const lookSoon = (serverId: string) => {
    for (const id of open.get(serverId) ?? []) {
      if (looking.has(id)) continue;
      const work = look(serverId, id)
        .catch((error: unknown) => log.debug({ err: error }, 'could not check an action; will retry'))
        .finally(() => looking.delete(id));
      looking.set(id, work);
    }
  };
  /** Acts under way, and those that ended unknown but whose task has an end now. */
  const takeUp = async () => {
    const { rows } = await sql<{ id: string; server_id: string }>`
      select id, server_id from ${sql.table(table)} where ended_at is null
      union all
      select act.id, act.server_id from ${sql.table(table)} act join agent_tasks task on task.id = act.id
      where act.outcome in (${supposed}) and act.ended_at > now() - interval '1 day'
        and task.done_at is not null and task.result ->> 'outcome' not in (${supposed})`.execute(db);
    for (const { id, server_id: serverId } of rows) opened(serverId, id);
  };
  const stop = tasks.onChange(lookSoon);
  /** For what changed while it was being read, or while the database was unavailable. */
  const again = setInterval(() => {
    for (const serverId of open.keys()) lookSoon(serverId);
  }, lookEveryMs).unref();
  let isPrepared = false;
  const takeUpOnce = singleFlight(() =>
    takeUp().catch((error: unknown) => log.debug({ err: error }, 'could not look for actions; will retry')),
  );
  /** For acts that this process does not know: the notification of the new row may have been lost. */
  const takingUpAgain = setInterval(() => {
    if (isPrepared) void takeUpOnce();
  }, takeUpEveryMs).unref();

  const findByKey = async ({ actor }: AuditContext, key: string | null) => {
    if (key === null) return null;
    const row = await common(db)
      .selectFrom(table)
      .selectAll()
      .where('actor', '=', actorReference(actor))
      .where('idempotency_key', '=', key)
      .executeTakeFirst();
    return asRow(row);
  };
  const begin = (
    id: string,
    serverId: string,
    act: NewAct<Table>,
    key: string | null,
    by: AuditContext,
  ): Promise<Row<Table>> =>
    db.transaction().execute(async (trx) => {
      const { task, expiresInMs, columns } = act;
      await tasks.start(trx, serverId, task, { id, by: by.actor, expiresInMs });
      const inserted = await common(trx)
        .insertInto(table)
        .values({
          ...columns,
          id,
          server_id: serverId,
          actor: actorReference(by.actor),
          actor_name: by.actor.name,
          address: by.address,
          idempotency_key: key,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const row = inserted as Row<Table>;
      await audit(trx, row, by, act.audit.action, act.audit.after);
      return row;
    });
  const find = async (serverId: string, id: string) => {
    const row = await common(db)
      .selectFrom(table)
      .selectAll()
      .where('server_id', '=', serverId)
      .where('id', '=', id)
      .executeTakeFirst();
    return asRow(row);
  };
  const read = async (serverId: string) => {
    const ofServer = common(db).selectFrom(table).selectAll().where('server_id', '=', serverId);
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
    return { act: asRow(act), lastAct: asRow(lastAct) };
  };

  return {
    async ask({ serverId, key, by, isSame, prepare, busy }) {
      const repeated = (row: Row<Table>) => (isSame(row) ? row : refuse('IDEMPOTENCY_MISMATCH'));
      const before = await findByKey(by, key);
      if (before) return repeated(before);
      const act = await prepare();
      if (isRefusal(act)) return act;
      for (let isFirst = true; ; isFirst = false) {
        const id = createId();
        try {
          const row = await begin(id, serverId, act, key, by);
          opened(serverId, row.id);
          return row;
        } catch (error) {
          if (!isTaken(error, `${table}_open`) && !isTaken(error, `${table}_key`)) {
            // The row is there if only the confirmation of its commit was lost.
            const row = await find(serverId, id).catch(() => null);
            if (!row) throw error;
            opened(serverId, id);
            return row;
          }
          // The same request at the same time, or another one that came first.
          const same = await findByKey(by, key);
          if (same) return repeated(same);
          const other = (await read(serverId)).act;
          if (!isFirst || !other) return busy(other);
          opened(serverId, other.id);
          await look(serverId, other.id);
          if ((await find(serverId, other.id))?.ended_at === null) return busy(other);
        }
      }
    },
    find,
    read,
    async cancel(row, by) {
      const { id, server_id: serverId } = row;
      const { cancelled, of } = options.audit;
      await db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await common(trx)
          .updateTable(table)
          .set({ is_cancelled: true })
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .where('is_cancelled', '=', false)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) await audit(trx, row, by, cancelled, of(row));
      });
      await tasks.cancel(serverId, id);
      await look(serverId, id);
      return (await find(serverId, id)) ?? row;
    },
    async progressOf(row) {
      const task = row.ended_at === null ? await tasks.get(row.server_id, row.id) : null;
      return task?.progress ?? null;
    },
    async prepare() {
      await takeUp();
      isPrepared = true;
    },
    async [Symbol.asyncDispose]() {
      stop();
      clearInterval(again);
      clearInterval(takingUpAgain);
      await takeUpOnce.underWay();
      await Promise.all(looking.values());
    },
  };
};

/** As the act that they belong to records it. */
export const whoAsked = ({
  actor,
  actor_name: name,
  address,
}: Pick<Selectable<ActColumns>, 'actor' | 'actor_name' | 'address'>): AuditContext => {
  const [kind = '', ...id] = actor.split(':');
  const known = actorKinds.find((each) => each === kind) ?? 'local';
  return { actor: { ...thisMachine, kind: known, id: id.join(':'), name }, address };
};

/** What panels show of every act. */
export const shownOf = (row: Selectable<ActColumns>, progress: TaskProgress | null) => ({
  id: row.id,
  byName: row.actor_name,
  requestedAt: row.requested_at.toISOString(),
  progress: row.ended_at === null ? progress : null,
  isCancelled: row.is_cancelled,
  outcome: row.outcome,
  detail: row.detail,
  endedAt: row.ended_at?.toISOString() ?? null,
});

/** Deletes acts that ended before the retention period; they are few, since people ask for them. @returns how many */
export const deleteOldActs = async (
  db: Kysely<Tables>,
  name: ActsTable,
  retentionDays: number,
): Promise<number> => {
  const { numDeletedRows } = await (db as unknown as Kysely<CommonTables>)
    .deleteFrom(name as unknown as 'acts')
    .where('ended_at', '<', sql<Date>`castellan_proven_now() - make_interval(days => ${retentionDays})`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
