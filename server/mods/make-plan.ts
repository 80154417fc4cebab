import type { Kysely } from 'kysely';
import type { ChangeWish, ModSet, ModsPlan } from '#contracts/mods/mods.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { AuditContext } from '../kernel/access/audit-context.ts';
import type { ProvenSet } from '../kernel/database/stored-values.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { type Refusal, refuse } from '../kernel/http/refusal.ts';
import type { AgentTasks } from '../servers/agent-tasks.ts';
import { askToInspect } from './agent-answers.ts';
import { asShown, isUndoable } from './job-rows.ts';
import type { KeptMods } from './kept-mods.ts';
import { readDependencies } from './mod-dependencies.ts';
import type { ModPins } from './mod-pins.ts';
import { insertPlan, shownPlan } from './mod-plans.ts';
import type { ModUploads } from './mod-uploads.ts';
import { lacks } from './mods-permission.ts';
import type { PlanChange, PlanMaterials } from './plan/plan.ts';
import type { JobReader } from './read-jobs.ts';
import type { ServerFacts } from './server-facts.ts';

export interface PlannerOptions {
  readonly db: Kysely<Tables>;
  readonly tasks: Pick<AgentTasks, 'run'>;
  readonly servers: ServerFacts;
  readonly lists: KeptMods;
  readonly jobs: Pick<JobReader, 'find'>;
  readonly pins: Pick<ModPins, 'all'>;
  readonly planChange: PlanChange;
  readonly sources: PlanMaterials['sources'];
  readonly uploads: Pick<ModUploads, 'find'>;
  /** Null: there is none. */
  readonly readSet: (id: string) => Promise<Pick<ModSet, 'name' | 'items' | 'game'> | null>;
}

/** For a plan made by a wave. */
export interface PlanLimits {
  readonly signal: AbortSignal;
  /** For the wave's later servers. */
  readonly proven: ProvenSet | null;
}

const listPatienceMs = 30_000;
const planWithinMs = 3 * 60_000;

/** Works out what wishes amount to on a server, and stores that for the job that carries it out. */
export const createPlanner = (options: PlannerOptions) => {
  const { db, servers, lists, jobs, pins, uploads } = options;
  /** Refuses wishes that name something missing or incomplete. */
  const refuseWishes = async (serverId: string, wishes: readonly ChangeWish[], list: ModsList) => {
    for (const wish of wishes) {
      if (wish.do === 'undo') {
        const job = await jobs.find(serverId, wish.job);
        if (!job || !isUndoable(asShown(job), list.revision)) return refuse('MOD_JOB_NOT_UNDOABLE');
      }
      if (wish.do === 'install-upload') {
        const upload = await uploads.find(serverId, wish.upload);
        if (!upload) return refuse('NOT_FOUND');
        if (!upload.whole) return refuse('MOD_UPLOAD_INCOMPLETE');
      }
    }
    return null;
  };
  const materialsOf = (serverId: string, game: GameId, signal: AbortSignal): PlanMaterials => ({
    sources: options.sources,
    upload: async (id) => (await uploads.find(serverId, id))?.whole ?? null,
    set: async (id) => {
      const set = await options.readSet(id);
      return set?.game === game ? set : null;
    },
    before: async (job) => (await jobs.find(serverId, job))?.inverse ?? null,
    inspect: (file) => askToInspect(options.tasks, serverId, file, signal),
  });

  return async (
    serverId: string,
    wishes: readonly ChangeWish[],
    { actor }: AuditContext,
    limits?: PlanLimits,
  ): Promise<ModsPlan | Refusal> => {
    const refusal = lacks(actor, 'mods.write', serverId);
    if (refusal) return refusal;
    const server = await servers.find(serverId);
    if (!server) return refuse('NOT_FOUND');
    const before = servers.obstacleOf(server, null);
    if (before) return refuse(before.code);
    if (!(await lists.refresh(serverId, listPatienceMs)))
      return refuse('MODS_AGENT_AWAY', 'The Game Agent did not tell which mods are there.');
    const kept = await lists.read(serverId);
    if (!kept) return refuse('MODS_AGENT_AWAY');
    const { list } = kept;
    const hindrance = servers.obstacleOf(server, list);
    if (hindrance) return refuse(hindrance.code, hindrance.detail ?? undefined);
    const refused = await refuseWishes(serverId, wishes, list);
    if (refused) return refused;
    const timeout = AbortSignal.timeout(planWithinMs);
    const within = limits ? AbortSignal.any([limits.signal, timeout]) : timeout;
    const planned = await options.planChange(
      {
        game: server.game,
        list,
        byName: actor.name,
        pins: await pins.all(serverId),
        proven: limits?.proven ?? null,
        dependencies: await readDependencies(db, serverId),
      },
      wishes,
      materialsOf(serverId, server.game, within),
      within,
    );
    const row = await insertPlan(db, serverId, wishes, list, planned);
    return shownPlan(row, {
      downloadBytes: planned.downloadBytes,
      needsRestart: planned.lines.length > 0 && servers.isRunning(serverId),
      rehearsalObstacle: list.rehearsalObstacle,
      unneeded: planned.unneeded,
    });
  };
};
