import type { ColumnType } from 'kysely';
import type { WaitingKind } from '#contracts/waiting.ts';

/** Kinds of which something waits, and that were told as events. */
export interface WaitingKindsTable {
  kind: WaitingKind;
  since: ColumnType<Date, never, never>;
}
