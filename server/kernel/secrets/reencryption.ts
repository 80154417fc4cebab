import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import type { SecretsStatus } from '#contracts/operations/secrets.ts';
import type { Log } from '#runtime/log.ts';
import { type ReencryptedBatch, reencrypt } from '#runtime/sealed/reencrypt.ts';
import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';
import { countSealedRows } from '#runtime/sealed/sealed-rows.ts';
import type { Actor } from '../access/actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import type { JobSender } from '../queues/job-sender.ts';
import type { QueueName } from '../queues/queues.ts';
import type { WorkerDeclaration } from '../queues/workers.ts';
import type { Secrets } from './secrets.ts';

const queue = 'reencrypt-secrets' satisfies QueueName;
const batchRows = 100;

const jobData = z.object({ run: z.string() });

/**
 * Requests a run, or keeps one that waits or is running. Only the end of a run, not of its job, makes room for the next one:
 * a job that has just ended its run still counts as active for a moment.
 */
export const requestReencryption = (
  db: Kysely<Tables>,
  jobs: JobSender,
  actor: Actor,
  address: string,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    // A run that is just ending has either ended or continues, for everything that follows here.
    await sql`lock table secret_reencryptions in share row exclusive mode`.execute(trx);
    const newest = await trx
      .selectFrom('secret_reencryptions')
      .select(['id', 'ended_at'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const run = newest?.ended_at === null ? newest.id : await insertRun(trx, actor, address);
    // Refused while a job works for this run. A run whose job has finally failed gets another one.
    if (await jobs.send(trx, queue, { run } satisfies z.infer<typeof jobData>, { singletonKey: run }))
      await recordAudit(trx, { actor, address, action: 'secrets.reencrypt', target: null });
  });

const insertRun = async (
  trx: Kysely<Tables>,
  { kind, id, name }: Actor,
  address: string,
): Promise<string> => {
  const run = await trx
    .insertInto('secret_reencryptions')
    .values({ requested_by: JSON.stringify({ kind, id, name, address }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return run.id;
};

export const newestReencryption = async (db: Kysely<Tables>): Promise<SecretsStatus['reencryption']> => {
  const run = await db
    .selectFrom('secret_reencryptions')
    .select(['requested_at', 'total', 'done', 'failed', 'ended_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!run) return null;
  const begun = run.total === null ? 'waiting' : 'running';
  return {
    state: run.ended_at ? 'done' : begun,
    requestedAt: run.requested_at.toISOString(),
    endedAt: run.ended_at?.toISOString() ?? null,
    total: run.total,
    done: run.done,
    failed: run.failed,
  };
};

interface ReencryptionOptions {
  readonly db: Kysely<Tables>;
  readonly columns: readonly SealedColumn[];
  readonly secrets: Secrets;
  readonly log: Log;
}

/** Carries out the runs. Restarted after a crash, a run finds the rest by the key that each secret names. */
export const reencryptionWorker = (options: ReencryptionOptions): WorkerDeclaration => ({
  queue,
  batchSize: 1,
  handle: async (jobs, signal) => {
    for (const { data } of jobs) await carryOut(options, jobData.parse(data).run, signal);
  },
});

const carryOut = async (
  { db, columns, secrets, log }: ReencryptionOptions,
  run: string,
  signal: AbortSignal,
): Promise<void> => {
  // A secret that names an unknown key, or none, cannot be opened: it is left until its key is configured or it is entered again.
  const named = { oneOf: secrets.keyIds.slice(1) };
  const left = await countSealedRows(db, columns, named);
  const begun = await db
    .updateTable('secret_reencryptions')
    .set({ total: sql`done + ${left}`, failed: 0 })
    .where('id', '=', run)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  // The job of an ended run comes again if the process died before it could report the end.
  if (begun.numUpdatedRows === 0n) return;
  const { box } = secrets;
  const record = (trx: Kysely<Tables>, batch: ReencryptedBatch) => countBatch(trx, run, batch);
  const batches = reencrypt({ db, box, columns, named, batchRows, record });
  // The queue repeats the job after an abort, and the run continues from there.
  signal.throwIfAborted();
  while (!(await batches.next()).done) signal.throwIfAborted();
  await conclude(db, run, log);
};

const countBatch = async (
  trx: Kysely<Tables>,
  run: string,
  { done, unreadable }: ReencryptedBatch,
): Promise<void> => {
  await trx
    .updateTable('secret_reencryptions')
    .set({ done: sql`done + ${done}`, failed: sql`failed + ${unreadable.length}` })
    .where('id', '=', run)
    .execute();
};

const conclude = async (db: Kysely<Tables>, run: string, log: Log): Promise<void> => {
  const ended = await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('secret_reencryptions')
      // What others saved in between did not need this run.
      .set({ ended_at: sql`now()`, total: sql`done + failed` })
      .where('id', '=', run)
      .where('ended_at', 'is', null)
      .returning(['requested_by', 'done', 'failed'])
      .executeTakeFirst();
    if (!row) return null;
    const { address, ...requester } = row.requested_by;
    await recordAudit(trx, {
      actor: { ...requester, permissions: new Set(), serverPermissions: new Map() },
      address,
      action: 'secrets.reencrypt-end',
      target: null,
      after: { done: row.done, failed: row.failed },
    });
    return { done: row.done, failed: row.failed };
  });
  if (ended) log.info(ended, 'encrypted all readable secrets with the current key');
};
