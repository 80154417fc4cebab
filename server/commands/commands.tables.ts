/** One row for each command on its way to a game, from the transaction in which it leaves until its end is stored. */
export interface CommandsInFlightTable {
  command_id: string;
  /** The API process that works on it. */
  process_id: string;
  /** By the database's clock; until then only this process may end it. */
  leased_until: Date;
}

/** The API processes on this database. */
export interface ApiProcessesTable {
  id: string;
  /** By the database's clock; renewed while the process lives. */
  leased_until: Date;
}
