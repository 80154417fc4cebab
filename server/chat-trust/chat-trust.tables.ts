import type { ColumnType } from 'kysely';

/** A server without a row is not trusted, and its address and agent are those of its beginning. */
export interface ChatTrustsTable {
  server_id: string;
  is_trusted: boolean;
  /** An update trusted it, since its chat shop worked; no one has looked at it yet. */
  is_unreviewed: ColumnType<boolean, boolean | undefined, boolean>;
  /** The change that ended the trust; null: a person did, or it was never given. */
  ended_by: ColumnType<'address' | 'agent' | null, null | undefined, null>;
  /** The last change of its address or agent; null: none is known. */
  origin_since: ColumnType<Date | null, never, never>;
  changed_at: ColumnType<Date, Date | undefined, Date>;
  version: ColumnType<number, number | undefined, number>;
}

/** Players who may spend and link by the chat of a server before they have been there for a day. */
export interface ChatConfirmedPlayersTable {
  player_id: string;
  server_id: string;
  /** It counts for the server's address and agent at that time. */
  confirmed_at: ColumnType<Date, Date | undefined, Date>;
}
