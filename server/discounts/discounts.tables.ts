import type { ColumnType, Generated } from 'kysely';

export interface DiscountsTable {
  id: string;
  /** In the order of creation; bigint as text. */
  number: ColumnType<string, never, never>;
  version: Generated<number>;
  name: string;
  /** Either this or the next one is null. */
  percent: number | null;
  /** bigint, as text. */
  points_off: ColumnType<string | null, number | null, number | null>;
  product_ids: string[];
  categories: string[];
  /** Roles of the Discord server. */
  role_ids: string[];
  code: string | null;
  code_key: string | null;
  most_uses: number | null;
  most_per_member: number | null;
  valid_from: Date | null;
  valid_until: Date | null;
  is_enabled: boolean;
  created_at: ColumnType<Date, Date | undefined, never>;
  removed_at: Date | null;
}
