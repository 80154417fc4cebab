/** How long deliveries wait for what, in milliseconds. */
export interface DeliveryTiming {
  /** For the game's answer. */
  readonly answerMs: number;
  /** For the game's record, after a lost answer, while the game cannot be asked. */
  readonly settleMs: number;
  /** For the game's list of players after an answer that proves nothing. */
  readonly presenceMs: number;
  /** Between two looks at what is waited for. */
  readonly lookMs: number;
  /** Until a delivery that could not be sent as things stand is tried again. */
  readonly restMs: number;
  readonly shortRestMs: number;
  /** Between two sweeps. */
  readonly sweepMs: number;
  /** Between two marks that are removed: the console is for others, too, and an agent that says too much is cut off. */
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
