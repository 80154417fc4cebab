import type { ColumnType, Generated } from 'kysely';
import type { Actor } from '../access/actor.ts';

/** The person who requested a run, so that its end is audited under the same name. */
export interface Requester extends Pick<Actor, 'kind' | 'id' | 'name'> {
  readonly address: string;
}

/** One row per run that seals all secrets again. */
export interface SecretReencryptionsTable {
  id: Generated<string>;
  requested_at: ColumnType<Date, never, never>;
  /** Written as JSON text. */
  requested_by: ColumnType<Requester, string, never>;
  /** Null until it runs. */
  total: number | null;
  done: Generated<number>;
  failed: Generated<number>;
  ended_at: Date | null;
}
