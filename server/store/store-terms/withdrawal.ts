/**
 * The result of withdrawing a delivery.
 * - `safe`: it was never sent, or can no longer arrive
 * - `arrived`: the game says that it arrived
 * - `uncertain`: it may have arrived, and the game keeps no record of it, or its server is archived
 * - `away`: the game keeps a record and cannot be asked now
 * - `under-way`: it is being sent
 */
export type Withdrawal = 'safe' | 'arrived' | 'uncertain' | 'away' | 'under-way';
