import type { ColumnType, Generated } from 'kysely';

/** A question with a number that was whispered to a player, who has yet to answer. */
export interface ChatConfirmationsTable {
  id: Generated<string>;
  player_id: string;
  server_id: string;
  command: 'buy' | 'link' | 'survivor';
  /** The line of chat that asked: an order from the question has it as its key. */
  line_key: string;
  digest_salt: Buffer;
  /** The number itself is stored nowhere. */
  number_digest: Buffer;
  /** The line that asked identified the player by an id; then only such a line can answer. */
  is_proven: boolean;
  asked: ColumnType<unknown, string, never>;
  /** The points that the player was told; null: nothing is paid. */
  expected_total: string | null;
  tries_left: number;
  created_at: ColumnType<Date, Date | undefined, never>;
  expires_at: Date;
}
