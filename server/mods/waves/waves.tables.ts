import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ModWave, PlanFault } from '#contracts/mods.ts';

/** Changes of the mods of several servers, the first of them alone. */
export interface ModWavesTable {
  id: string;
  /** In the order in which they were asked for. */
  number: GeneratedAlways<string>;
  /** What was asked for, as JSON: the same key with another request is refused by it. */
  request: string;
  /** Of the set that was asked for, when it was. */
  set_version: number | null;
  /** As the audit log names who asked. */
  actor: string;
  actor_id: string;
  actor_name: string;
  desktop_access_id: string | null;
  address: string;
  idempotency_key: string | null;
  requested_at: Generated<Date>;
  state: Generated<ModWave['state']>;
  detail: string | null;
  ended_at: Date | null;
}

export interface ModWaveServersTable {
  wave_id: string;
  position: number;
  server_id: string;
  /** Of one that has no job. */
  state: Generated<'waiting' | 'nothing' | 'blocked'>;
  /** Why it was not begun. */
  detail: string | null;
  faults: ColumnType<PlanFault[], string | undefined, string>;
  /** Not looked at before. */
  next_try_at: Generated<Date>;
}
