import type { Kysely } from 'kysely';
import { fromKysely, type PgBoss } from 'pg-boss';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { Problem } from '#runtime/problem.ts';
import type { QueueName } from './queues.ts';

export interface JobSender {
  /** From now on the queues run. */
  attach(boss: PgBoss): void;
  /**
   * Puts a job into its queue when the transaction commits.
   * @param how `startAfterSeconds`: the job rests this long and wakes no worker; `singletonKey`: the policy compares the job
   * only with jobs of the same key
   * @returns false when the queue's policy accepts no second one
   * @throws {Problem} DATABASE_UNAVAILABLE while the queues do not run
   */
  send<Tables>(
    trx: Kysely<Tables>,
    queue: QueueName,
    data: object,
    how?: { readonly startAfterSeconds: number } | { readonly singletonKey: string },
  ): Promise<boolean>;
}

export const createJobSender = (): JobSender => {
  let boss: PgBoss | null = null;
  return {
    attach(started) {
      boss = started;
    },
    async send(trx, queue, data, how) {
      if (!boss) throw new Problem('DATABASE_UNAVAILABLE', { detail: healthReasons['queues-not-running'] });
      const terms = how && 'startAfterSeconds' in how ? { startAfter: how.startAfterSeconds } : how;
      return (await boss.send(queue, data, { db: fromKysely(trx), ...terms })) !== null;
    },
  };
};
