import type { ColumnType, Generated } from 'kysely';

/** A person: any number of players, at most one Discord account, one wallet. Ids are bigint, as text. */
export interface MembersTable {
  id: ColumnType<string, never, never>;
  discord_id: string | null;
  created_at: ColumnType<Date, Date | undefined, never>;
  /** The member it was merged into, which is itself never merged. */
  merged_into: string | null;
  erased_at: Date | null;
  version: Generated<number>;
}

/** A code that merges the member who types it with the one who requested it. At most one per member. */
export interface MemberLinkCodesTable {
  digest: Buffer;
  member_id: string;
  expires_at: Date;
}

/** What a merge moved, for its undo. */
export interface MemberMergesTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  kept_id: string;
  merged_id: string;
  player_ids: string[];
  /** Members merged into `merged_id` earlier. */
  member_ids: string[];
  discord_id: string | null;
  /** bigint, as text. */
  points: ColumnType<string, string | number, never>;
  /** The ledger's last entry before the merge; bigint as text. */
  entries_before: ColumnType<string, unknown, never>;
  /** Points returned by the undo, including later refunds; less if points were spent since. Null: not undone. */
  points_returned: ColumnType<string | null, never, string | null>;
  actor: string;
  actor_name: string | null;
  undone_at: Date | null;
}
