import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Db, PgBoss } from 'pg-boss';
import { operatorRole } from '#contracts/kernel/product.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { Leases } from '../commands/leases.ts';
import type { Notifications } from '../database/notifications.ts';
import { correctQueueTimes } from './correct-queue-times.ts';
import { operatorGrantsSql, operatorInterfaceSql } from './operator-interface-sql.ts';
import { queueNames, queueSchema, queues } from './queues.ts';

/** Runs pg-boss on the process's own pool and its connection for notifications. */
const queueConnection = (pool: pg.Pool, notifications: Notifications): Db => ({
  executeSql: (text, values) => pool.query(text, values),
  listen: async (channel, onNotification, onReconnect) =>
    notifications.listen(channel, { onNotification, onListening: onReconnect }),
});

/**
 * Installs the operator's interface on pg-boss's tables. A fingerprint identifies an existing one, so that an ordinary start
 * changes nothing and waits for no operator's open transaction.
 */
const installOperatorInterface = async (pool: pg.Pool): Promise<void> => {
  const { rows } = await pool.query<{ operator: boolean; fingerprint: string | null; stands: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as operator,
            obj_description(to_regnamespace('pgboss'), 'pg_namespace') as fingerprint,
            to_regclass('pgboss.job') is not null
              and to_regclass('${queueSchema}.castellan_finished_jobs') is not null as stands`,
    [operatorRole],
  );
  const sql = rows[0]?.operator ? operatorInterfaceSql + operatorGrantsSql : operatorInterfaceSql;
  const fingerprint = createHash('sha256').update(sql).digest('hex');
  // Dropping pg-boss's tables leaves the fingerprint behind.
  if (rows[0]?.stands && rows[0].fingerprint === fingerprint) return;
  // Statements sent as one text run in one transaction.
  await pool.query(`${sql} comment on schema pgboss is '${fingerprint}';`);
};

/** Workers have ended their jobs before; this is for what pg-boss itself still does. */
const stopDeadlineMs = 2000;

/**
 * Starts pg-boss with all declared queues, the operator's interface on its tables, and the jobs of a crashed process
 * recovered, before any worker runs. Cleans up after itself when it fails.
 */
export const startQueueEngine = async ({
  pool,
  notifications,
  leases,
  log,
}: {
  readonly pool: pg.Pool;
  readonly notifications: Notifications;
  /** Who else works on this database. */
  readonly leases: Pick<Leases, 'otherProcesses'>;
  readonly log: Log;
}): Promise<PgBoss> => {
  const boss = new PgBoss({
    db: queueConnection(pool, notifications),
    schema: queueSchema,
    useListenNotify: true,
    schedule: false,
  });
  boss.on('error', (error) => {
    // The database watch reports once that it is unreachable; pg-boss would report it at every poll.
    if (!isDatabaseAway(error)) log.error({ err: error }, 'queue error');
  });
  boss.on('warning', ({ message, data }) => log.warn({ data }, message));
  try {
    await boss.start();
    await declareQueues(boss);
    await correctQueueTimes(pool);
    await installOperatorInterface(pool);
    await recoverOrphans(boss, pool, (await leases.otherProcesses()).length === 0, log);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
};

export const stopQueueEngine = (boss: PgBoss): Promise<void> =>
  boss.stop({ graceful: true, timeout: stopDeadlineMs });

const declareQueues = async (boss: PgBoss): Promise<void> => {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const name of queueNames) {
    const { policy, ...options } = queues[name];
    if (existing.has(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, { policy, ...options });
    // pg-boss reads a queue on its own connection when the queue is first used and then caches it. If that happened inside a
    // transaction, which holds a connection, a small pool would have none left.
    await boss.getJobById(name, randomUUID());
  }
};

/** Without a heartbeat, a living process may work on it: it is left to expire. */
const isSilent = `heartbeat_on < now() - heartbeat_seconds * interval '1 second'`;

/**
 * This process has no worker yet: if it is alone, every active job was left by a process that died; otherwise only those
 * whose heartbeat has stopped. pg-boss would notice later, and would spend a try although the job was not at fault.
 */
const recoverOrphans = async (boss: PgBoss, pool: pg.Pool, isAlone: boolean, log: Log): Promise<void> => {
  // pg-boss counts a try when it fetches a job that was started before.
  const { rowCount } = await pool.query(
    `update ${queueSchema}.job as orphan
        set state = 'retry', start_after = now(), started_on = null, heartbeat_on = null
      where state = 'active' and name = any($1) and ($2 or ${isSilent})
        and not (policy = 'stately' and exists (
          select from ${queueSchema}.job as waiting
           where waiting.name = orphan.name and waiting.state = 'retry'
             and coalesce(waiting.singleton_key, '') = coalesce(orphan.singleton_key, '')))`,
    [queueNames, isAlone],
  );
  if (rowCount) log.warn({ jobs: rowCount }, 'recovered the jobs of an ended process');
  await failDuplicates(boss, pool, isAlone, log);
};

/** A stately queue holds one job per state: if the same work already waits for its next try, there is no room for the orphan. */
const failDuplicates = async (boss: PgBoss, pool: pg.Pool, isAlone: boolean, log: Log): Promise<void> => {
  const { rows } = await pool.query<{ name: string; ids: string[] }>(
    `select name, array_agg(id::text) as ids from ${queueSchema}.job
      where state = 'active' and name = any($1) and ($2 or ${isSilent}) group by name`,
    [queueNames, isAlone],
  );
  for (const { name, ids } of rows) {
    await boss.fail(name, ids, { message: 'The API ended while this job ran.' });
    log.warn(
      { queue: name, jobs: ids.length },
      'failed the jobs of an ended process: the same work is already waiting',
    );
  }
};
