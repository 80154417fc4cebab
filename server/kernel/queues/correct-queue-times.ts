import type pg from 'pg';
import { aheadToleranceMs } from '#runtime/is-ahead.ts';
import { queueSchema } from './queues.ts';

const tolerance = `interval '${aheadToleranceMs / 1000} seconds'`;

/** Jobs are never sent for later; their retries wait for ten minutes at most. */
const statements = [
  `update ${queueSchema}.job set start_after = now()
    where state in ('created', 'retry') and start_after > now() + interval '1 hour'`,
  `update ${queueSchema}.job set started_on = now(), heartbeat_on = now()
    where state = 'active' and greatest(started_on, heartbeat_on) > now() + ${tolerance}`,
  // When pg-boss last supervised a queue, and itself: the next time is so long after.
  `update ${queueSchema}.queue set monitor_on = null, monitor_claim_on = null, maintain_on = null
    where greatest(monitor_on, monitor_claim_on, maintain_on) > now() + ${tolerance}`,
  `update ${queueSchema}.version
      set cron_on = null, bam_on = null, flow_on = null, reindex_on = null, monitor_backoff_on = null
    where greatest(cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) > now() + interval '1 day'`,
];

/**
 * Corrects the times of pg-boss that lie ahead because the clock did when they were stored: jobs would wait until then, and
 * pg-boss would neither fail nor delete any. @returns how many rows it corrected
 */
export const correctQueueTimes = async (pool: pg.Pool): Promise<number> => {
  let corrected = 0;
  for (const statement of statements) corrected += (await pool.query(statement)).rowCount ?? 0;
  return corrected;
};
