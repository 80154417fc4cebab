import type { ColumnType } from 'kysely';

/** Outlives the jobs themselves: pg-boss deletes old ones. */
export interface QueueFailuresTable {
  queue: string;
  /** Failed tries since the queue was created; a bigint, as text. */
  failures_total: string;
}

/** Queues that take no new jobs. */
export interface QueuePausesTable {
  queue: string;
  paused_at: ColumnType<Date, never, never>;
  actor: string;
  actor_name: string | null;
}
