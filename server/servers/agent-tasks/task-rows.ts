import { type Kysely, type Selectable, sql } from 'kysely';
import type { AgentTask, TaskProgress, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { AgentTaskRow } from '#contracts/servers/agent-tasks-http.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';

export type TaskRow = Selectable<Tables['agent_tasks']> & { readonly expires_in_ms: number };

/** Where a committed row is announced; the payload is its id. */
export const tasksChannel = 'castellan_agent_tasks';

const asRow = sql<number>`(extract(epoch from expires_at - now()) * 1000)::float8`.as('expires_in_ms');

export const unknownTask: TaskResult = {
  outcome: 'unknown',
  detail: 'The agent that had this task is gone, or has lost its memory of it.',
  value: null,
};

/** The statements about `agent_tasks`. */
export type TaskRows = ReturnType<typeof createTaskRows>;

export const createTaskRows = (db: Kysely<Tables>) => ({
  /** In the caller's transaction; announced when that commits. */
  async insert(
    trx: Kysely<Tables>,
    {
      id,
      serverId,
      task,
      by,
      expiresInMs,
    }: {
      readonly id: string;
      readonly serverId: string;
      readonly task: AgentTask;
      readonly by: Actor;
      readonly expiresInMs: number;
    },
  ): Promise<void> {
    await trx
      .insertInto('agent_tasks')
      .values({
        id,
        server_id: serverId,
        kind: task.kind,
        request: JSON.stringify(task),
        created_by: actorReference(by),
        created_by_name: by.name,
        expires_at: sql<Date>`now() + ${expiresInMs}::float8 * interval '1 millisecond'`,
      })
      .execute();
    await sql`select pg_notify(${tasksChannel}, ${id})`.execute(trx);
  },

  /** For all servers, in the order in which they were given. */
  loadOpen: (): Promise<TaskRow[]> =>
    db
      .selectFrom('agent_tasks')
      .selectAll()
      .select(asRow)
      .where('done_at', 'is', null)
      .orderBy('number')
      .execute(),

  /** Null: there is none, or it is done. */
  async findOpen(id: string): Promise<TaskRow | null> {
    const row = await db
      .selectFrom('agent_tasks')
      .selectAll()
      .select(asRow)
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  },

  async find(serverId: string, id: string): Promise<TaskRow | null> {
    const row = await db
      .selectFrom('agent_tasks')
      .selectAll()
      .select(asRow)
      .where('id', '=', id)
      .where('server_id', '=', serverId)
      .executeTakeFirst();
    return row ?? null;
  },

  /** Before the frames go out: what was sent must never look unsent. @returns the ids of the open ones */
  async markSent(ids: readonly string[]): Promise<readonly string[]> {
    const marked = await db
      .updateTable('agent_tasks')
      .set({ state: 'sent', sent_at: sql<Date>`coalesce(sent_at, now())` })
      .where('id', 'in', ids)
      .where('state', 'in', ['waiting', 'sent'])
      .returning('id')
      .execute();
    return marked.map(({ id }) => id);
  },

  async markAccepted(serverId: string, ids: readonly string[]): Promise<void> {
    await db
      .updateTable('agent_tasks')
      .set({ state: 'accepted' })
      .where('id', 'in', ids)
      .where('server_id', '=', serverId)
      .where('state', '=', 'sent')
      .execute();
  },

  async markRunning(serverId: string, id: string, progress: TaskProgress): Promise<void> {
    await db
      .updateTable('agent_tasks')
      .set({ state: 'running', progress: JSON.stringify(progress) })
      .where('id', '=', id)
      .where('server_id', '=', serverId)
      .where('state', 'in', ['sent', 'accepted', 'running'])
      .execute();
  },

  /** Announced when the transaction commits, for the process that holds the agent's link. */
  async markCancelled(trx: Kysely<Tables>, id: string): Promise<void> {
    await trx
      .updateTable('agent_tasks')
      .set({ cancel_at: sql<Date>`coalesce(cancel_at, now())` })
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .execute();
    await sql`select pg_notify(${tasksChannel}, ${id})`.execute(trx);
  },

  /** A result of the agent, for a task that was sent; it replaces one that was only supposed. @returns whether it is kept */
  async finish(
    serverId: string,
    id: string,
    result: TaskResult,
    progress: TaskProgress | null,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('agent_tasks')
      .set({
        state: 'done',
        done_at: sql<Date>`now()`,
        result: JSON.stringify(result),
        ...(progress ? { progress: JSON.stringify(progress) } : {}),
      })
      .where('id', '=', id)
      .where('server_id', '=', serverId)
      .where('sent_at', 'is not', null)
      .where((where) =>
        where.or([
          where('done_at', 'is', null),
          where(sql`result ->> 'outcome'`, 'in', ['unknown', 'expired']),
        ]),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  },

  /** Ends a task that no process has sent. @returns false: it was sent, or has ended */
  async finishUnsent(trx: Kysely<Tables>, id: string, result: TaskResult): Promise<boolean> {
    const { numUpdatedRows } = await trx
      .updateTable('agent_tasks')
      .set({ state: 'done', done_at: sql<Date>`now()`, result: JSON.stringify(result) })
      .where('id', '=', id)
      .where('sent_at', 'is', null)
      .where('done_at', 'is', null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  },

  /** Its caller has what it found. */
  async forgetValue(id: string): Promise<void> {
    await db
      .updateTable('agent_tasks')
      .set({ result: sql<string>`jsonb_set(result, '{value}', 'null')` })
      .where('id', '=', id)
      .where('done_at', 'is not', null)
      .execute();
  },

  /** Removes a task that is done. */
  async remove(id: string): Promise<void> {
    await db.deleteFrom('agent_tasks').where('id', '=', id).where('done_at', 'is not', null).execute();
  },

  /** Ends sent tasks as `unknown`. @returns their ids */
  async giveUpSent(trx: Kysely<Tables>, serverId: string): Promise<string[]> {
    const given = await trx
      .updateTable('agent_tasks')
      .set({ state: 'done', done_at: sql<Date>`now()`, result: JSON.stringify(unknownTask) })
      .where('server_id', '=', serverId)
      .where('done_at', 'is', null)
      .where('sent_at', 'is not', null)
      .returning('id')
      .execute();
    return given.map(({ id }) => id);
  },

  /** Newest first. @param before the number of the last row that was seen */
  page: (serverId: string, before: string | null, limit: number): Promise<TaskRow[]> =>
    db
      .selectFrom('agent_tasks')
      .selectAll()
      .select(asRow)
      .where('server_id', '=', serverId)
      .$if(before !== null, (query) => query.where('number', '<', before ?? ''))
      .orderBy('number', 'desc')
      .limit(limit)
      .execute(),
});

export const shownTask = (row: TaskRow): AgentTaskRow => ({
  id: row.id,
  serverId: row.server_id,
  task: row.request,
  state: row.state,
  progress: row.progress,
  result: row.result,
  createdBy: row.created_by,
  createdByName: row.created_by_name,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  cancelled: row.cancel_at !== null,
  doneAt: row.done_at?.toISOString() ?? null,
});
