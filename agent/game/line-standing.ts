/** What an earlier agent has done with a line that is read again. */
export interface LineStanding {
  /** The API has been told what it says. */
  readonly isObserved: boolean;
  /** The history has it. */
  readonly isKept: boolean;
  /** For the history. */
  readonly position: string;
}
