import type { EndpointInput } from '#contracts/kernel/http.ts';
import type { ModsJob, ModsPlan } from '#contracts/mods/mods.ts';
import type { ModsJobRequest, modsHttp } from '#contracts/mods/mods-http.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ProvenSet } from '../../kernel/database/stored-values.ts';
import type { Refusal } from '../../kernel/http/refusal.ts';

export type WaveRequest = EndpointInput<typeof modsHttp.beginWave>['body'];

/** What a wave asks of each of its servers; one process or several may ask at the same time. */
export interface WaveServers {
  plan(
    serverId: string,
    wishes: readonly [WaveRequest['wish']],
    by: AuditContext,
    limits: { readonly signal: AbortSignal; readonly proven: ProvenSet | null },
  ): Promise<ModsPlan | Refusal>;
  /** A wave has at most one job per server, ever. */
  begin(
    serverId: string,
    request: ModsJobRequest,
    origin: { readonly key: string; readonly wave: string },
    by: AuditContext,
  ): Promise<ModsJob | Refusal>;
  /** The jobs of these waves that this actor may see; null: all of them. */
  jobs(waves: readonly string[], actor: Actor | null): Promise<readonly ModsJob[]>;
  /** What the server has after its job of the wave; null: it has no such job. */
  provenSet(wave: string, serverId: string): Promise<ProvenSet | null>;
  /** Reports that a job has changed. @returns the function that unsubscribes */
  onChange(listener: () => void): () => void;
}
