import type { AccountRow } from '../../database/rows.ts';

/** Times are ISO 8601 in UTC. */
export interface AccountView {
  readonly id: string;
  readonly name: string;
  /** `invited`: has not signed in yet; `lapsed`: did not do so in time. */
  readonly state: 'active' | 'invited' | 'lapsed' | 'disabled';
  readonly createdAt: string;
  readonly lastSignedInAt: string | null;
}

export const viewAccount = (row: AccountRow, now: Date): AccountView => ({
  id: row.id,
  name: row.name,
  state: stateOf(row, now),
  createdAt: row.created_at.toISOString(),
  lastSignedInAt: row.last_signed_in_at?.toISOString() ?? null,
});

const stateOf = ({ disabled_at, initial_until }: AccountRow, now: Date): AccountView['state'] => {
  if (disabled_at !== null) return 'disabled';
  if (initial_until === null) return 'active';
  return initial_until > now ? 'invited' : 'lapsed';
};
