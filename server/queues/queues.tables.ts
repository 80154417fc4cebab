/** Survives the jobs themselves: pg-boss deletes old ones. */
export interface QueueFailuresTable {
  queue: string;
  /** Failed tries since the queue exists; a bigint, so a text. */
  failures_total: string;
}
