import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { AgentTask, TaskProgress, TaskResult } from '#contracts/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import { actorKinds, actorReference } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { thisMachine } from '../access/authorize.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { isTaken } from '../database/unique-violation.ts';
import { isRefusal, type Refusal, refuse } from '../http/refusal.ts';
import type { ActColumns } from './agent-tasks.tables.ts';
import type { AgentTasks } from './agent-tasks.ts';

/** Their unique indexes are `<table>_open`, for what excludes what, and `<table>_key`. */
type ActsTable = 'power_acts' | 'save_acts';
type Row<Table extends ActsTable> = Selectable<ActColumns> & Selectable<Tables[Table]>;

export interface AgentActsOptions<Table extends ActsTable> {
  readonly db: Kysely<Tables>;
  readonly table: Table;
  readonly tasks: Pick<AgentTasks, 'start' | 'get' | 'cancel' | 'onChange'>;
  /** The names of audit entries, and what they say of an act besides its id. */
  readonly audit: {
    readonly cancelled: string;
    readonly ended: string;
    readonly of: (row: Row<Table>) => object;
  };
  /** In the transaction in which an act ends. @returns what the audit log says of it besides */
  readonly onEnd?: (trx: Kysely<Tables>, row: Row<Table>, result: TaskResult) => Promise<object>;
  /** Once that has committed. */
  readonly onEnded?: (serverId: string) => void;
  readonly log: Log;
}

export interface NewAct<Table extends ActsTable> {
  readonly task: AgentTask;
  /** An agent that does not take it by then never does. */
  readonly expiresInMs: number;
  readonly columns: Omit<Insertable<Tables[Table]>, keyof ActColumns>;
  readonly audit: { readonly action: string; readonly after: object };
}

export interface ActRequest<Table extends ActsTable> {
  readonly serverId: string;
  /** Null: a repetition is another request. */
  readonly key: string | null;
  readonly by: AuditContext;
  /** Whether an act of the same caller and key was asked for by this very request. */
  readonly isSame: (row: Row<Table>) => boolean;
  readonly prepare: () => Promise<NewAct<Table> | Refusal>;
  readonly busy: (open: Row<Table> | null) => Refusal;
}

/** Acts that people ask for and agents carry out: rows beside agents' tasks. */
export interface AgentActs<Table extends ActsTable> extends AsyncDisposable {
  /** The act that an earlier request with the same key began, or a new one. */
  ask(request: ActRequest<Table>): Promise<Row<Table> | Refusal>;
  find(serverId: string, id: string): Promise<Row<Table> | null>;
  /** The one under way, the newest of several, and the one that ended last. */
  read(serverId: string): Promise<{ readonly act: Row<Table> | null; readonly lastAct: Row<Table> | null }>;
  cancel(row: Row<Table>, by: AuditContext): Promise<Row<Table>>;
  progressOf(row: Row<Table>): Promise<TaskProgress | null>;
  /** Takes up what was under way before this process. May be called again. */
  prepare(): Promise<void>;
}

interface CommonTables {
  acts: ActColumns;
}

const lost: TaskResult = { outcome: 'unknown', detail: 'Nothing is known of this any more.', value: null };

export const createAgentActs = <const Table extends ActsTable>(
  options: AgentActsOptions<Table>,
): AgentActs<Table> => {
  const { db, tasks, log, onEnd, onEnded } = options;
  // What all these tables have can be asked of each in the same words.
  const table = options.table as unknown as 'acts';
  const common = (on: Kysely<Tables>) => on as unknown as Kysely<CommonTables>;
  const asRow = (row: Selectable<ActColumns> | undefined) => (row ?? null) as Row<Table> | null;

  /** Acts under way, by server. */
  const open = new Map<string, Set<string>>();
  const opened = (serverId: string, id: string) => {
    open.set(serverId, (open.get(serverId) ?? new Set()).add(id));
  };
  const looking = new Map<string, Promise<void>>();

  const audit = (trx: Kysely<Tables>, row: Row<Table>, by: AuditContext, action: string, after: object) =>
    recordAudit(trx, { ...by, action, target: `server:${row.server_id}`, after: { act: row.id, ...after } });

  /** Once, whichever process of the API comes first. */
  const end = (id: string, result: TaskResult) =>
    db.transaction().execute(async (trx) => {
      const { outcome, detail } = result;
      const ended = await common(trx)
        .updateTable(table)
        .set({ outcome, detail, ended_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
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
        .catch((error: unknown) => log.debug({ err: error }, 'an act could not be looked at; tried again'))
        .finally(() => looking.delete(id));
      looking.set(id, work);
    }
  };
  const stop = tasks.onChange(lookSoon);
  /** For what changed while it was looked at, or while the database was away. */
  const again = setInterval(() => {
    for (const serverId of open.keys()) lookSoon(serverId);
  }, 1000).unref();

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
  const begin = (serverId: string, act: NewAct<Table>, key: string | null, by: AuditContext) =>
    db.transaction().execute(async (trx) => {
      const { task, expiresInMs, columns } = act;
      const id = await tasks.start(trx, serverId, task, { by: by.actor, expiresInMs });
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
      try {
        const row = await begin(serverId, act, key, by);
        opened(serverId, row.id);
        return row;
      } catch (error) {
        if (!isTaken(error, `${table}_open`) && !isTaken(error, `${table}_key`)) throw error;
        // The same request at the same time, or another one that was first.
        const same = await findByKey(by, key);
        return same ? repeated(same) : busy((await read(serverId)).act);
      }
    },
    find,
    read,
    async cancel(row, by) {
      const { id, server_id: serverId } = row;
      const { cancelled, of } = options.audit;
      await db.transaction().execute(async (trx) => {
        await common(trx).updateTable(table).set({ is_cancelled: true }).where('id', '=', id).execute();
        await audit(trx, row, by, cancelled, of(row));
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
      const rows = await common(db)
        .selectFrom(table)
        .select(['id', 'server_id'])
        .where('ended_at', 'is', null)
        .execute();
      for (const { id, server_id: serverId } of rows) opened(serverId, id);
    },
    async [Symbol.asyncDispose]() {
      stop();
      clearInterval(again);
      await Promise.all(looking.values());
    },
  };
};

/** As the act that they belong to has it. */
const whoAsked = ({ actor, actor_name: name, address }: Selectable<ActColumns>): AuditContext => {
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

/** Those that ended before the retention; they are few, since people ask for them. @returns how many */
export const deleteOldActs = async (
  db: Kysely<Tables>,
  name: ActsTable,
  retentionDays: number,
): Promise<number> => {
  const { numDeletedRows } = await (db as unknown as Kysely<CommonTables>)
    .deleteFrom(name as unknown as 'acts')
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${retentionDays})`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
