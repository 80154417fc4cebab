/** How an earlier agent handled a line that is read again. */
export interface LineStanding {
  /** Its event was reported to the API. */
  readonly isObserved: boolean;
  /** The history has it. */
  readonly isKept: boolean;
  /** For the history. */
  readonly position: string;
}
