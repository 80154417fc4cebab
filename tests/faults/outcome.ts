/** The result of a run, with the names from its last line. */
export interface FaultOutcome {
  readonly deliveries: number;
  readonly kills: number;
  readonly merges: number;
  /** In flight when their API process was stopped for longer than its lease. */
  readonly stopped_gifts: number;
  /** Carried out more than once, although no standing rule had it sent again after a fault. */
  readonly doubled: number;
  /** Carried out for a player whom no order meant. */
  readonly misplaced: number;
  /** Marked proven or settled, but never carried out. */
  readonly false_delivered: number;
  /** Refunded although it arrived, and no one is told: no fault had hit it, or the proof came later and was kept quiet. */
  readonly falsely_refunded: number;
  /** Paid for, but in the end neither delivered, nor refunded, nor waiting for a person. */
  readonly vanished: number;
  /** The game answered and no fault hit the answer, but the delivery neither says so nor is it at the desk for it. */
  readonly result_dropped: number;
  /** Refunded by a standing rule before the proof came, and at the desk for it. */
  readonly known_late: number;
  /** Arrived, but the answer was lost with a killed process, and a standing rule refunded it or had it sent again. */
  readonly decided_by_rule: number;
  readonly unknown: number;
  readonly unknown_minecraft: number;
  readonly rolled_back: number;
  readonly unconfirmed: number;
  /** The differences between wallets, ledger and sales; see `readLedgerSum`. */
  readonly ledger_sum: number;
  /** 1: it met a deadline of its own, and the figures are those of what it had done until then. */
  readonly cut_short: 0 | 1;
  readonly seed: number;
}

/** What must never happen. */
export const faultsOf = (outcome: FaultOutcome) => {
  const { doubled, misplaced, false_delivered, falsely_refunded, vanished, result_dropped } = outcome;
  const { ledger_sum, cut_short } = outcome;
  return {
    doubled,
    misplaced,
    false_delivered,
    falsely_refunded,
    vanished,
    result_dropped,
    ledger_sum,
    cut_short,
  };
};
