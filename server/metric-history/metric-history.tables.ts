/** The means of a minute and its events; null where nothing is known. */
export interface MetricHistoryTable {
  /** The start of the minute. */
  at: Date;
  players: number | null;
  database_ms: number | null;
  queue_depth: number | null;
  events: number | null;
}

export interface MetricHistoryDatabase {
  figures: MetricHistoryTable;
}
