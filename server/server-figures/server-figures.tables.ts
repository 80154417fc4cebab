/** Sums and counts of the samples in a step; a count of zero means unknown. */
export interface ServerFiguresTable {
  server_id: string;
  step_seconds: number;
  /** The start of the step. */
  at: Date;
  players_sum: number;
  players_count: number;
  answer_ms_sum: number;
  answer_ms_count: number;
}
