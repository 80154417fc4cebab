import type { ColumnType } from 'kysely';
import type { RewardKind } from '#contracts/members.ts';

/** Created with its member; only the ledger's trigger changes it. */
export interface WalletsTable {
  member_id: ColumnType<string, never, never>;
  /** bigint, as text. */
  balance: ColumnType<string, never, never>;
}

export type LedgerKind =
  | 'grant'
  | 'purchase'
  | 'refund'
  | 'charge'
  | 'correction'
  | 'transfer'
  | 'merge'
  | 'season'
  | 'reward';
/** A member's wallet, or one of the store's own accounts, whose balances are sums. */
export type LedgerAccount = 'wallet' | 'issued' | 'sales';

/** A movement of points between two accounts. Append-only. */
export interface LedgerTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  kind: LedgerKind;
  from_account: LedgerAccount;
  from_member: string | null;
  to_account: LedgerAccount;
  to_member: string | null;
  /** bigint, as text; positive. */
  amount: ColumnType<string, string | number, never>;
  order_id: string | null;
  delivery_id: string | null;
  actor: string;
  actor_name: string | null;
  /** What gave a reward, under the name that its rule or batch of codes had then. */
  reward_kind: RewardKind | null;
  reward_name: string | null;
}

/** A note by staff on an entry; erasing a member removes it. */
export interface LedgerNotesTable {
  entry_id: string;
  note: string;
}
