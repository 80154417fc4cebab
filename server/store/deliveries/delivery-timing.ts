/** Time-outs and intervals of deliveries, in milliseconds. */
export interface DeliveryTiming {
  /** Time-out of the game's reply. */
  readonly answerMs: number;
  /** How long to ask for the game's record after a lost reply. */
  readonly settleMs: number;
  /** How long to ask for the list of players after a reply that proves nothing. */
  readonly presenceMs: number;
  /** Between two questions while waiting. */
  readonly lookMs: number;
  /** Until a delivery that cannot be sent at present is tried again. */
  readonly restMs: number;
  readonly shortRestMs: number;
  /** Between two sweeps. */
  readonly sweepMs: number;
  /** Between two removals of marks: the console is shared, and agents that say too much are cut off. */
  readonly markPauseMs: number;
}

export const usualTiming: DeliveryTiming = {
  answerMs: 15_000,
  settleMs: 30_000,
  presenceMs: 60_000,
  lookMs: 500,
  restMs: 600_000,
  shortRestMs: 5000,
  sweepMs: 30_000,
  markPauseMs: 40,
};
