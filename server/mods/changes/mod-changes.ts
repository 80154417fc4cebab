import type { Kysely } from 'kysely';
import type { ModsJob, ServerMods } from '#contracts/mods/mods.ts';
import type { ModsJobRequest } from '#contracts/mods/mods-http.ts';
import type { HealthWatch, ModsList } from '#contracts/servers/agent-mods.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Page, PageQuery } from '../../kernel/logs/older-page.ts';
import type { Settings } from '../../operations/settings.ts';
import { announcement } from '../../servers/announcement.ts';
import type { Servers } from '../../servers/servers.ts';
import { createPlanner } from '../plan/make-plan.ts';
import type { PlayerList } from '../player-list/player-list.ts';
import type { ModSources } from '../sources/mod-source.ts';
import { shownFindings } from '../updates/shown-findings.ts';
import type { UpdateChecks } from '../updates/update-checks.ts';
import type { ModUploads } from '../uploads/mod-uploads.ts';
import { beginJob, type JobOrigin } from './begin-job.ts';
import { asShown, type ModJobRow } from './job-rows.ts';
import { createJobRunner } from './job-runner.ts';
import type { KeptMods } from './kept-mods.ts';
import type { ModPins } from './mod-pins.ts';
import { lacks } from './mods-permission.ts';
import { createJobReader } from './read-jobs.ts';
import { createServerFacts } from './server-facts.ts';
import { shownList } from './shown-list.ts';

/** A waiting job ends immediately; for a running one the agent is told. @returns null: it has already ended */
const markCancelled = (
  db: Kysely<Tables>,
  { id }: Pick<ModJobRow, 'id'>,
  by: AuditContext,
): Promise<ModJobRow | null> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('mod_jobs')
      .selectAll()
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row || row.is_cancelled) return row ?? null;
    const changed = await trx
      .updateTable('mod_jobs')
      .set({
        is_cancelled: true,
        ...(row.state === 'waiting' && {
          state: 'cancelled' as const,
          outcome: 'cancelled' as const,
          waits_for: null,
          ended_at: new Date(),
        }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(trx, {
      ...by,
      action: 'mods.cancelled',
      target: `server:${row.server_id}`,
      after: { job: id, state: changed.state },
    });
    return changed;
  });

/** Changes games' mods through their agents. */
export type ModChanges = ReturnType<typeof createModChanges>;

export const createModChanges = (
  options: Pick<Kernel, 'db' | 'pauses' | 'licenseHolds' | 'log'> & {
    readonly servers: Servers;
    readonly settings: Pick<Settings, 'values'>;
    readonly sources: ModSources;
    readonly uploads: ModUploads;
    /** What each agent last reported. */
    readonly lists: KeptMods;
    readonly pins: ModPins;
    readonly checks: UpdateChecks;
    readonly playerList: PlayerList;
    /** A job of this server has changed. */
    readonly onChange: (serverId: string) => void;
  },
) => {
  const { db, servers, settings, lists, pins, checks, playerList } = options;
  const { tasks } = servers;
  const runner = createJobRunner({ ...options, tasks });
  const facts = createServerFacts({ db, servers });
  const jobs = createJobReader({ db, tasks });

  const showOf = async (row: ModJobRow, actor: Actor): Promise<ModsJob> => {
    const [server, kept] = await Promise.all([facts.find(row.server_id), lists.read(row.server_id)]);
    return jobs.show(asShown(row), actor, {
      name: server?.name ?? '',
      revision: kept?.list.revision ?? null,
    });
  };
  const readDefaultWatch = async (): Promise<HealthWatch> => {
    const { readySeconds, watchSeconds } = await settings.values('mods');
    return { readySeconds, watchSeconds };
  };
  const readFindings = async (serverId: string, list: ModsList) => {
    const [check, shared] = await Promise.all([checks.read(serverId), playerList.of(serverId)]);
    return { ...shownFindings(check, list), playerList: shared };
  };

  return {
    ...pins,
    /** Advances jobs that wait for something that has changed. */
    look: runner.look,
    prepare: runner.prepare,
    plan: createPlanner({ ...options, tasks, facts, jobs }),
    /** The jobs of these waves that this actor may see; null: all of them. */
    jobs: jobs.ofWaves,
    /** What the server has after its job of the wave; null: it has no such job. */
    provenSet: jobs.provenSet,

    async read(serverId: string, actor: Actor): Promise<ServerMods | Refusal> {
      const refusal = lacks(actor, 'mods.read', serverId);
      if (refusal) return refusal;
      const server = await facts.find(serverId);
      if (!server) return refuse('NOT_FOUND');
      if (server.archived_at === null) await lists.refresh(serverId);
      const kept = await lists.read(serverId);
      const of = { name: server.name, revision: kept?.list.revision ?? null };
      const [latest, pinned, defaultWatch, findings] = await Promise.all([
        jobs.latest(serverId, actor, of),
        pins.all(serverId),
        readDefaultWatch(),
        kept && readFindings(serverId, kept.list),
      ]);
      const hindrance = facts.obstacleOf(server, kept?.list ?? null);
      return {
        game: server.game,
        isAgentPresent: servers.agents.isPresent(serverId),
        obstacle: hindrance?.code ?? null,
        obstacleDetail: hindrance?.detail ?? null,
        list: kept && findings && shownList(kept, pinned, findings),
        check: findings?.check ?? null,
        ...latest,
        playerList: findings?.playerList ?? null,
        defaultWatch,
      };
    },

    /** The caller ensures that a person with a fresh step-up asks. */
    async begin(
      serverId: string,
      request: ModsJobRequest,
      origin: JobOrigin,
      by: AuditContext,
    ): Promise<ModsJob | Refusal> {
      const refusal = lacks(by.actor, 'mods.write', serverId);
      if (refusal) return refusal;
      const server = await facts.find(serverId);
      if (!server) return refuse('NOT_FOUND');
      const row = await beginJob(db, {
        serverId,
        request,
        origin,
        by,
        async prepare({ base }) {
          const known = await lists.refresh(serverId).then(() => lists.read(serverId));
          const hindrance = facts.obstacleOf(server, known?.list ?? null);
          // The change waits for an absent agent.
          if (hindrance && hindrance.code !== 'MODS_AGENT_AWAY')
            return refuse(hindrance.code, hindrance.detail ?? undefined);
          if (known?.list.revision !== Number(base)) return refuse('MOD_PLAN_OUTDATED');
          const { language } = await settings.values('general');
          const { countdownSeconds } = await settings.values('power');
          const restartText = announcement('restart', language);
          const usual = await readDefaultWatch();
          const { readySeconds = usual.readySeconds, watchSeconds = usual.watchSeconds } =
            request.watch ?? {};
          return {
            how: {
              watch: { readySeconds, watchSeconds },
              countdown: facts.countdownOf(serverId, request.countdownSeconds, {
                countdownSeconds,
                restartText,
              }),
              backup: request.backup,
              rehearse: request.rehearse,
            },
            list: known.list,
          };
        },
      });
      if (isRefusal(row)) return row;
      runner.look();
      return showOf(row, by.actor);
    },

    /** Newest first. */
    async page(serverId: string, query: PageQuery, actor: Actor): Promise<Page<ModsJob> | Refusal> {
      const refusal = lacks(actor, 'mods.read', serverId);
      if (refusal) return refusal;
      const server = await facts.find(serverId);
      if (!server) return refuse('NOT_FOUND');
      const kept = await lists.read(serverId);
      return jobs.page(serverId, query, actor, {
        name: server.name,
        revision: kept?.list.revision ?? null,
      });
    },

    async cancel(serverId: string, jobId: string, by: AuditContext): Promise<ModsJob | Refusal> {
      const refusal = lacks(by.actor, 'mods.write', serverId);
      if (refusal) return refusal;
      const found = await jobs.find(serverId, jobId);
      if (!found) return refuse('NOT_FOUND');
      const row = await markCancelled(db, found, by);
      if (!row) return refuse('MODS_NOT_CANCELLABLE');
      if (row.state === 'running' && row.task_id) await tasks.cancel(serverId, row.task_id);
      runner.look();
      return showOf(row, by.actor);
    },

    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
};
