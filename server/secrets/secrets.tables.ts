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

/** One row per key that CONFIG_ENCRYPTION_KEY has had. */
export interface EncryptionKeysTable {
  key_id: string;
  in_use_since: ColumnType<Date, Date | undefined, Date>;
  /** Null for the key in use. */
  replaced_at: Date | null;
  /** When this installation no longer had the key. */
  forgotten_at: Date | null;
}
