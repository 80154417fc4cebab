/** What is known about the clock: one row, from the first look on. */
export interface ProvenTimeTable {
  is_only: boolean;
  /** What the database's clock showed at the last look. */
  seen_at: Date;
  /** When the machine was started, by that clock: it changes when the clock is set. */
  booted_at: Date;
  /** The latest time that was proven. */
  trusted_at: Date;
  /** How far the clock is ahead of what is proven. */
  unproven_ms: string;
  /** What began then or later is measured by the new time alone; null: nothing is unproven. */
  jumped_at: Date | null;
  /** The clock is believed from then on, by its own time. */
  until: Date | null;
}
