import type { ColumnType, Generated, GeneratedAlways, RawBuilder } from 'kysely';
import type { InspectedMod, ModsChange, ModsChanged, ModsList } from '#contracts/agent-mods.ts';
import type { TaskResult } from '#contracts/agent-tasks.ts';
import type { ModsJob, modJobKinds, PlanFault, PlanLine } from '#contracts/mods.ts';
import type { ProvenSet } from './plan/proven-set.ts';

type Json<Value> = ColumnType<Value, string, string>;
type NullableJson<Value> = ColumnType<Value | null, string | null | undefined, string | null>;
export type ModJobKind = (typeof modJobKinds)[number];

/** What an agent last reported about a server's mods. */
export interface ServerModsTable {
  server_id: string;
  list: Json<ModsList>;
  listed_at: Date;
}

export type PlannedSet = Pick<ModsChange, 'put' | 'remove' | 'adopt'>;
/** Restores the set from before a change. */
export type InverseSet = Pick<ModsChange, 'put' | 'remove'>;

export interface ModPlansTable {
  id: string;
  server_id: string;
  /** The revision of the set that the plan was made for; a bigint, as text. */
  base: ColumnType<string, number, never>;
  kind: ModJobKind;
  change: Json<PlannedSet>;
  inverse: NullableJson<InverseSet>;
  lines: Json<PlanLine[]>;
  faults: Json<PlanFault[]>;
  made_at: ColumnType<Date, never, never>;
  expires_at: ColumnType<Date, unknown, never>;
}

export interface ModJobsTable {
  /** Also the id of its first task. */
  id: string;
  /** In the order of the requests. */
  number: GeneratedAlways<string>;
  server_id: string;
  kind: ModJobKind;
  /** The request, as JSON: the same key with another request is refused. */
  request: string;
  change: Json<ModsChange>;
  inverse: NullableJson<InverseSet>;
  lines: Json<PlanLine[]>;
  wave: string | null;
  /** For a wave: the whole set of the server after the job. */
  proves: NullableJson<ProvenSet>;
  /** As the audit log names it. */
  actor: string;
  actor_name: string;
  address: string;
  idempotency_key: string | null;
  state: Generated<ModsJob['state']>;
  waits_for: ModsJob['waitsFor'];
  /** The task of its last try. */
  task_id: string | null;
  /** How many tasks were begun for it. */
  tries: Generated<number>;
  /** The time of the last request, including a retry. */
  requested_at: ColumnType<Date, never, unknown>;
  began_at: ColumnType<Date | null, never, unknown>;
  ended_at: ColumnType<Date | null, never, unknown>;
  is_cancelled: Generated<boolean>;
  outcome: TaskResult['outcome'] | null;
  detail: string | null;
  result: NullableJson<ModsChanged>;
}

export interface ModPinsTable {
  server_id: string;
  key: string;
  reason: string;
  until: string | null;
  by_name: string;
  at: Generated<Date>;
}

/** Mods that came along because another one requires them, and that no one has asked for since. */
export interface ModDependenciesTable {
  server_id: string;
  key: string;
}

export interface ModUploadsTable {
  id: string;
  server_id: string;
  name: string;
  /** A bigint, as text. */
  bytes: ColumnType<string, number, never>;
  received: ColumnType<string, never, number>;
  /** Bytes of the part that is being written; a bigint, as text. */
  reserved: ColumnType<string, never, number>;
  /** Null until it is complete. */
  sha1: string | null;
  sha512: string | null;
  content: NullableJson<InspectedMod['content']>;
  begun_at: ColumnType<Date, never, never>;
  /** An actor's reference; null: the previous release began it. */
  begun_by: ColumnType<string | null, string, never>;
  /** By the database's clock; null: it is complete, or the previous release began it. */
  idle_until: ColumnType<Date | null, RawBuilder<Date>, RawBuilder<Date> | null>;
}
