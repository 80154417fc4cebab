import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ModWave, PlanFault } from '#contracts/mods.ts';

/** Changes of the mods of several servers, the first one alone. */
export interface ModWavesTable {
  id: string;
  /** In the order of the requests. */
  number: GeneratedAlways<string>;
  /** The request, as JSON: the same key with another request is refused. */
  request: string;
  /** The version of the requested set at the time of the request. */
  set_version: number | null;
  /** Who asked, as the audit log names it. */
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
  /** For a server without a job. */
  state: Generated<'waiting' | 'nothing' | 'blocked'>;
  /** Why it was not begun. */
  detail: string | null;
  faults: ColumnType<PlanFault[], string | undefined, string>;
  /** Not checked earlier. */
  next_try_at: Generated<Date>;
}
