import type { ColumnType, Generated } from 'kysely';

/** A person: any number of players, at most one Discord account, one wallet. Ids are bigint, as text. */
export interface MembersTable {
  id: ColumnType<string, never, never>;
  discord_id: string | null;
  created_at: ColumnType<Date, Date | undefined, never>;
  /** Of a member that was merged: the one that is left; never one that was merged itself. */
  merged_into: string | null;
  erased_at: Date | null;
  version: Generated<number>;
}

/** A code that merges the member who types it with the one who asked for it. One at a time for each member. */
export interface MemberLinkCodesTable {
  digest: Buffer;
  member_id: string;
  expires_at: Date;
}

/** What a merge moved, so that it can be undone. */
export interface MemberMergesTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  kept_id: string;
  merged_id: string;
  player_ids: string[];
  /** Members that had been merged into `merged_id` before. */
  member_ids: string[];
  discord_id: string | null;
  /** bigint, as text. */
  points: ColumnType<string, string | number, never>;
  /** The ledger's last entry before it; bigint, as text. */
  entries_before: ColumnType<string, unknown, never>;
  /** What an undo gave back, with refunds of its orders since; less where points were spent meanwhile. Null: not undone. */
  points_returned: ColumnType<string | null, never, string | null>;
  actor: string;
  actor_name: string | null;
  undone_at: Date | null;
}
