import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import type { AgentTask, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import type { Notifications } from '../../kernel/database/notifications.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { newOpenTask, type OpenTask, type OpenTasks, openTaskOf } from './open-task.ts';
import type { PumpTasks } from './task-dispatch.ts';
import { type TaskRow, type TaskRows, tasksChannel, unknownTask } from './task-rows.ts';
import { ended, type StartOptions } from './task-waiting.ts';

/** How often to look for rows that no notification announced. */
const lookEveryMs = 5000;

const notTaken = 'The Game Agent did not take this in time: it is away, or too old to know tasks.';
const notWritten = 'The database did not answer when this was written down, so it was not begun.';

/** Opens tasks that are written here or found in the database, and ends those that no agent takes in time. */
export const createNewTasks = (options: {
  readonly db: Kysely<Tables>;
  readonly notifications: Pick<Notifications, 'listen'>;
  readonly rows: TaskRows;
  readonly open: OpenTasks;
  readonly pump: PumpTasks;
  readonly settle: (task: OpenTask, result: TaskResult) => void;
  readonly changed: (serverId: string) => void;
  /** Tasks may be read from the database. */
  readonly isReady: () => boolean;
  readonly log: Log;
  readonly now: () => number;
  readonly sweepMs: number;
}) => {
  const { db, notifications, rows, open, pump, settle, changed, isReady, log, now, sweepMs } = options;
  /** By id: until when to look for the row of a task whose caller was told that it failed. */
  const abandoned = new Map<string, number>();

  const abandon = (id: string, expiresInMs: number) =>
    abandoned.set(id, now() + Math.max(expiresInMs, 2 * lookEveryMs));
  const adopt = (row: TaskRow) => {
    const known = open.find(row.id);
    if (known) return catchUp(known, row);
    if (abandoned.has(row.id)) return endAbandoned(row.id);
    open.add(openTaskOf(row, now()));
    changed(row.server_id);
    void pump(row.server_id);
  };
  /** Another process may have sent or cancelled it. */
  const catchUp = (task: OpenTask, row: TaskRow) => {
    if (row.sent_at !== null) task.isSent = true;
    if (row.cancel_at === null || task.isCancelled) return;
    task.isCancelled = true;
    changed(task.serverId);
    void pump(task.serverId);
  };
  const endAbandoned = (id: string) => {
    rows
      .finishUnsent(db, id, ended('cancelled', notWritten))
      .then(() => abandoned.delete(id))
      .catch((err: unknown) => log.warn({ err }, 'could not end an unwanted task yet'));
  };
  /** Another process, the retention or an operator has ended it. */
  const follow = async (task: OpenTask) => {
    const row = await rows.find(task.serverId, task.id);
    if (open.find(task.id) === task && task.holds === 0 && row?.done_at !== null)
      settle(task, row?.result ?? unknownTask);
  };
  const look = async () => {
    const known = [...open.all()].filter(({ holds }) => holds === 0);
    const found = await rows.loadOpen();
    if (!isReady()) return;
    const ids = new Set(found.map(({ id }) => id));
    for (const row of found) adopt(row);
    for (const task of known) if (!ids.has(task.id) && open.find(task.id) === task) await follow(task);
    for (const [id, untilMs] of abandoned) if (now() > untilMs && !ids.has(id)) abandoned.delete(id);
  };
  const lookAgain = () => {
    if (isReady()) look().catch((err: unknown) => log.debug({ err }, 'could not look for Game Agent tasks'));
  };
  const adoptById = async (id: string) => {
    const row = isReady() ? await rows.findOpen(id) : null;
    if (row && isReady()) adopt(row);
  };
  const subscription = notifications.listen(tasksChannel, {
    onNotification: (id) =>
      void adoptById(id).catch((err: unknown) =>
        log.debug({ err }, 'a Game Agent task is waiting for the database'),
      ),
    onListening: lookAgain,
  });
  const looking = setInterval(lookAgain, lookEveryMs).unref();

  const expire = async (task: OpenTask) => {
    const expired = ended('expired', notTaken);
    task.holds += 1;
    try {
      // Another process may have sent it.
      task.isSent = !(await rows.finishUnsent(db, task.id, expired));
    } catch (err) {
      // The next look ends it.
      log.warn({ err }, 'could not end an unsent task yet');
    }
    task.holds -= 1;
    if (!task.isSent && open.find(task.id) === task) settle(task, expired);
  };

  const sweep = () => {
    for (const task of open.all()) {
      if (!task.isSent && task.holds === 0 && now() >= task.expiresAtMs) {
        void expire(task);
      } else if (task.isCancelled) void pump(task.serverId);
    }
  };
  const sweeping = setInterval(sweep, sweepMs).unref();

  return {
    /** Writes it and sends it out. */
    async create(
      serverId: string,
      task: AgentTask,
      { id = createId(), by, expiresInMs }: StartOptions,
    ): Promise<OpenTask> {
      const created = {
        ...newOpenTask({ id, serverId, task, expiresAtMs: now() + expiresInMs }),
        holds: 1,
      };
      open.add(created);
      try {
        await db.transaction().execute((trx) => rows.insert(trx, { id, serverId, task, by, expiresInMs }));
      } catch (error) {
        // The row may exist if only the response was lost; the caller is told that it failed.
        abandon(id, expiresInMs);
        open.drop(created);
        throw error;
      }
      created.holds -= 1;
      if (created.ended) {
        abandon(id, expiresInMs);
        endAbandoned(id);
        return created;
      }
      changed(serverId);
      void pump(serverId);
      return created;
    },
    /** Opens a task that another process has just written, unless it is known or done. */
    adopt: adoptById,
    /** Ends a task whose caller was told that it was cancelled, and whose row is still being written. Never fails. */
    async abandon(id: string): Promise<void> {
      abandon(id, 0);
      // When that fails, or comes too early, the next look ends it.
      await adoptById(id).catch((err: unknown) =>
        log.debug({ err }, 'a Game Agent task is waiting for the database'),
      );
    },
    /** Loads what is in the database, before anything else. */
    async load(): Promise<void> {
      for (const row of await rows.loadOpen()) adopt(row);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping);
      clearInterval(looking);
      await subscription.close();
    },
  };
};
