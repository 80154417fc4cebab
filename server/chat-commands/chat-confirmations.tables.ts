import type { ColumnType, Generated } from 'kysely';

/** A question that a player was whispered with a number, and has yet to answer. */
export interface ChatConfirmationsTable {
  id: Generated<string>;
  player_id: string;
  server_id: string;
  command: 'buy' | 'link' | 'survivor';
  /** The line of chat that asked: an order that comes of the question has it as its key. */
  line_key: string;
  digest_salt: Buffer;
  /** The number itself stands nowhere. */
  number_digest: Buffer;
  /** The line that asked named the player by an id; then only such a line answers. */
  is_proven: boolean;
  asked: ColumnType<unknown, string, never>;
  /** Points that the player was told; null: nothing is paid. */
  expected_total: string | null;
  tries_left: number;
  created_at: ColumnType<Date, Date | undefined, never>;
  expires_at: Date;
}
