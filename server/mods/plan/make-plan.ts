import type { Kysely } from 'kysely';
import type { ChangeWish, ModsPlan } from '#contracts/mods/mods.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ProvenSet } from '../../kernel/database/stored-values.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';
import { askToInspect } from '../changes/agent-answers.ts';
import { asShown, isUndoable } from '../changes/job-rows.ts';
import type { KeptMods } from '../changes/kept-mods.ts';
import type { ModPins } from '../changes/mod-pins.ts';
import { lacks } from '../changes/mods-permission.ts';
import type { JobReader } from '../changes/read-jobs.ts';
import type { ServerFacts } from '../changes/server-facts.ts';
import { readSetOf } from '../sets/sets.ts';
import type { ModSources } from '../sources/mod-source.ts';
import type { ModUploads } from '../uploads/mod-uploads.ts';
import { readDependencies } from './mod-dependencies.ts';
import { insertPlan, shownPlan } from './mod-plans.ts';
import type { PlanMaterials } from './plan.ts';
import { planChange } from './plan-change.ts';

/** For a plan made by a wave. */
export interface PlanLimits {
  readonly signal: AbortSignal;
  /** For the wave's later servers. */
  readonly proven: ProvenSet | null;
}

const listPatienceMs = 30_000;
const planWithinMs = 3 * 60_000;

/** Works out what wishes amount to on a server, and stores that for the job that carries it out. */
export const createPlanner = ({
  db,
  tasks,
  facts,
  lists,
  jobs,
  pins,
  sources,
  uploads,
}: {
  readonly db: Kysely<Tables>;
  readonly tasks: AgentTasks;
  readonly facts: ServerFacts;
  readonly lists: KeptMods;
  readonly jobs: JobReader;
  readonly pins: ModPins;
  readonly sources: ModSources;
  readonly uploads: ModUploads;
}) => {
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
    sources,
    upload: async (id) => (await uploads.find(serverId, id))?.whole ?? null,
    set: async (id) => {
      const set = await readSetOf(db, id);
      return set?.game === game ? set : null;
    },
    before: async (job) => (await jobs.find(serverId, job))?.inverse ?? null,
    inspect: (file) => askToInspect(tasks, serverId, file, signal),
  });

  return async (
    serverId: string,
    wishes: readonly ChangeWish[],
    { actor }: AuditContext,
    limits?: PlanLimits,
  ): Promise<ModsPlan | Refusal> => {
    const refusal = lacks(actor, 'mods.write', serverId);
    if (refusal) return refusal;
    const server = await facts.find(serverId);
    if (!server) return refuse('NOT_FOUND');
    const before = facts.obstacleOf(server, null);
    if (before) return refuse(before.code);
    if (!(await lists.refresh(serverId, listPatienceMs)))
      return refuse('MODS_AGENT_AWAY', 'The Game Agent did not tell which mods are there.');
    const kept = await lists.read(serverId);
    if (!kept) return refuse('MODS_AGENT_AWAY');
    const { list } = kept;
    const hindrance = facts.obstacleOf(server, list);
    if (hindrance) return refuse(hindrance.code, hindrance.detail ?? undefined);
    const refused = await refuseWishes(serverId, wishes, list);
    if (refused) return refused;
    const timeout = AbortSignal.timeout(planWithinMs);
    const within = limits ? AbortSignal.any([limits.signal, timeout]) : timeout;
    const planned = await planChange(
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
      needsRestart: planned.lines.length > 0 && facts.isRunning(serverId),
      rehearsalObstacle: list.rehearsalObstacle,
      unneeded: planned.unneeded,
    });
  };
};
