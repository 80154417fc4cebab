import type { Kysely, Selectable } from 'kysely';
import type { HealthWatch, ModsList } from '#contracts/agent-mods.ts';
import type { ProcessState } from '#contracts/agent-tasks.ts';
import type { GameServerStatus } from '#contracts/game-servers.ts';
import type { Language } from '#contracts/language.ts';
import type { ChangeWish, ModsJob, ModsJobRequest, ModsPlan, ServerMods } from '#contracts/mods.ts';
import type { Log } from '#runtime/log.ts';
import { type Actor, may } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import type { AgentTasks } from '../agent-tasks/agent-tasks.ts';
import type { ServerChanges } from '../agent-tasks/tasks-topic.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import type { GameServersTable } from '../game-servers/game-servers.tables.ts';
import { isRefusal, type Refusal, refuse } from '../http/refusal.ts';
import { type Page, type PageQuery, readOlderPage } from '../logs/older-page.ts';
import { announcement } from '../power/announcement.ts';
import type { QueuePauses } from '../queues/queue-pauses.ts';
import { askToInspect } from './agent-answers.ts';
import { beginJob, type JobOrigin } from './begin-job.ts';
import { isUndoable, type ModJobRow, shownJob } from './job-rows.ts';
import { createJobRunner } from './job-runner.ts';
import { createKeptMods } from './kept-mods.ts';
import { createModPins, type ModPins } from './mod-pins.ts';
import { insertPlan, shownPlan } from './mod-plans.ts';
import type { ModUploads } from './mod-uploads.ts';
import { modsObstacle } from './mods-obstacles.ts';
import type { PlanChange, PlanMaterials } from './plan/plan.ts';

export interface ModsSettings extends HealthWatch {
  readonly language: Language;
  readonly countdownSeconds: number;
}

/** What is known of a server's mods besides what its agent tells. */
export interface ModFindings extends Pick<ServerMods, 'check' | 'playerList'> {
  installed(
    key: string,
  ): Pick<NonNullable<ServerMods['list']>['installed'][number], 'update' | 'project'> | null;
  found(path: string): NonNullable<ServerMods['list']>['found'][number]['known'];
}

export interface ModsOptions {
  readonly db: Kysely<Tables>;
  readonly tasks: Pick<AgentTasks, 'start' | 'run' | 'get' | 'cancel' | 'machineOf' | 'onChange'>;
  readonly isAgentPresent: (serverId: string) => boolean;
  readonly statusOf: (serverId: string) => Pick<GameServerStatus, 'shown' | 'players'>;
  readonly pauses: Pick<QueuePauses, 'isPaused' | 'onChange'>;
  readonly licenseHolds: () => boolean;
  readonly settings: () => Promise<ModsSettings>;
  readonly planChange: PlanChange;
  readonly sources: PlanMaterials['sources'];
  readonly uploads: Pick<ModUploads, 'find'>;
  readonly readSet: PlanMaterials['set'];
  readonly findings: (serverId: string, list: ModsList) => Promise<ModFindings>;
  readonly log: Log;
}

/** Changes games' mods by their agents. */
export interface Mods extends ModPins, ServerChanges, AsyncDisposable {
  read(serverId: string, actor: Actor): Promise<ServerMods | Refusal>;
  plan(
    serverId: string,
    wishes: readonly ChangeWish[],
    by: AuditContext,
    signal?: AbortSignal,
  ): Promise<ModsPlan | Refusal>;
  /** That a person asks, and has just proven it, is the caller's to see to. */
  begin(
    serverId: string,
    request: ModsJobRequest,
    origin: JobOrigin,
    by: AuditContext,
  ): Promise<ModsJob | Refusal>;
  /** The newest first. */
  page(serverId: string, query: PageQuery, actor: Actor): Promise<Page<ModsJob> | Refusal>;
  /** Of these waves, as this actor may see them; null: all of them. */
  jobs(waves: readonly string[], actor: Actor | null): Promise<readonly ModsJob[]>;
  cancel(serverId: string, jobId: string, by: AuditContext): Promise<ModsJob | Refusal>;
  /** What an agent told last. */
  readonly lists: ReturnType<typeof createKeptMods>;
  /** Brings jobs on that wait for something that has changed. */
  look(): void;
  prepare(): Promise<void>;
}

type ServerRow = Pick<Selectable<GameServersTable>, 'id' | 'name' | 'game' | 'archived_at'>;

const planPatienceMs = 30_000;
const planWithinMs = 3 * 60_000;
const runningStates: ReadonlySet<ProcessState> = new Set(['starting', 'running', 'stopping', 'backing-off']);
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const createMods = (options: ModsOptions): Mods => {
  const { db, tasks, log } = options;
  const owned = new AsyncDisposableStack();
  const listeners = new Set<(serverId: string) => void>();
  const changed = (serverId: string) => {
    for (const listener of listeners) listener(serverId);
  };
  const lists = createKeptMods({ db, tasks, onKept: changed, log });
  const runner = owned.use(
    createJobRunner({
      db,
      tasks,
      pauses: options.pauses,
      licenseHolds: options.licenseHolds,
      onEnded: lists.changed,
      log,
    }),
  );
  owned.defer(runner.onChange(changed));
  const pins = createModPins(db, changed);

  const findServer = async (serverId: string): Promise<ServerRow | null> =>
    (await db
      .selectFrom('game_servers')
      .select(['id', 'name', 'game', 'archived_at'])
      .where('id', '=', serverId)
      .executeTakeFirst()) ?? null;
  const obstacleOf = (server: ServerRow, list: ModsList | null) => {
    const { takesTasks, machine } = tasks.machineOf(server.id);
    return modsObstacle({
      isArchived: server.archived_at !== null,
      isAgentPresent: options.isAgentPresent(server.id),
      takesTasks,
      machine: machine?.facts ?? null,
      list,
    });
  };
  const isRunning = (serverId: string): boolean => {
    const { process } = tasks.machineOf(serverId);
    const isManaged = process?.isCurrent && process.report.state !== 'unmanaged';
    return isManaged
      ? runningStates.has(process.report.state)
      : options.statusOf(serverId).shown === 'online';
  };
  const countdownOf = async (serverId: string, asked: number | undefined, settings: ModsSettings) => {
    const { shown, players } = options.statusOf(serverId);
    // Without its console, no one can be told.
    const usual = shown === 'online' && players !== 0 ? settings.countdownSeconds : 0;
    const seconds = asked ?? usual;
    return seconds > 0 ? { seconds, text: announcement('restart', settings.language) } : null;
  };
  const show = async (
    row: ModJobRow,
    actor: Actor | null,
    of: { readonly name: string; readonly revision: number | null },
  ): Promise<ModsJob> => {
    const task = row.state === 'running' && row.task_id ? await tasks.get(row.server_id, row.task_id) : null;
    return shownJob(row, {
      serverName: of.name,
      progress: task?.progress ?? null,
      revision: of.revision,
      seesLines: actor === null || may(actor, 'console.read', row.server_id),
    });
  };
  const showOf = async (row: ModJobRow, actor: Actor): Promise<ModsJob> => {
    const [server, kept] = await Promise.all([findServer(row.server_id), lists.read(row.server_id)]);
    return show(row, actor, { name: server?.name ?? '', revision: kept?.list.revision ?? null });
  };
  const findJob = async (serverId: string, id: string): Promise<ModJobRow | null> =>
    uuid.test(id)
      ? ((await db
          .selectFrom('mod_jobs')
          .selectAll()
          .where('id', '=', id)
          .where('server_id', '=', serverId)
          .executeTakeFirst()) ?? null)
      : null;
  const jobsOf = (serverId: string) =>
    db.selectFrom('mod_jobs').selectAll().where('server_id', '=', serverId);
  const readDefaultWatch = async (): Promise<HealthWatch> => {
    const { readySeconds, watchSeconds } = await options.settings();
    return { readySeconds, watchSeconds };
  };

  /** Wishes that name what is not there, or not whole. */
  const refuseWishes = async (serverId: string, wishes: readonly ChangeWish[], list: ModsList) => {
    for (const wish of wishes) {
      if (wish.do === 'undo') {
        const job = await findJob(serverId, wish.job);
        if (!job || !isUndoable(job, list.revision)) return refuse('MOD_JOB_NOT_UNDOABLE');
      }
      if (wish.do === 'install-upload') {
        const upload = await options.uploads.find(serverId, wish.upload);
        if (!upload) return refuse('NOT_FOUND');
        if (!upload.whole) return refuse('MOD_UPLOAD_INCOMPLETE');
      }
    }
    return null;
  };
  const materialsOf = (serverId: string, signal: AbortSignal): PlanMaterials => ({
    sources: options.sources,
    upload: async (id) => (await options.uploads.find(serverId, id))?.whole ?? null,
    set: options.readSet,
    before: async (job) => (await findJob(serverId, job))?.inverse ?? null,
    inspect: (file) => askToInspect(tasks, serverId, file, signal),
  });

  return {
    ...pins,
    lists,
    look: runner.look,
    prepare: runner.prepare,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async read(serverId, actor) {
      const refusal = lacks(actor, 'mods.read', serverId);
      if (refusal) return refusal;
      const server = await findServer(serverId);
      if (!server) return refuse('NOT_FOUND');
      if (server.archived_at === null) await lists.refresh(serverId);
      const kept = await lists.read(serverId);
      const [job, lastJob, pinned, defaultWatch] = await Promise.all([
        jobsOf(serverId).where('ended_at', 'is', null).orderBy('number').limit(1).executeTakeFirst(),
        jobsOf(serverId)
          .where('ended_at', 'is not', null)
          .orderBy('ended_at', 'desc')
          .orderBy('number', 'desc')
          .limit(1)
          .executeTakeFirst(),
        pins.all(serverId),
        readDefaultWatch(),
      ]);
      const findings = kept && (await options.findings(serverId, kept.list));
      const of = { name: server.name, revision: kept?.list.revision ?? null };
      const hindrance = obstacleOf(server, kept?.list ?? null);
      return {
        game: server.game,
        isAgentPresent: options.isAgentPresent(serverId),
        obstacle: hindrance?.code ?? null,
        obstacleDetail: hindrance?.detail ?? null,
        list: kept && findings && shownList(kept, pinned, findings),
        check: findings?.check ?? null,
        job: job ? await show(job, actor, of) : null,
        lastJob: lastJob ? await show(lastJob, actor, of) : null,
        playerList: findings?.playerList ?? null,
        defaultWatch,
      };
    },

    async plan(serverId, wishes, { actor }, signal) {
      const refusal = lacks(actor, 'mods.write', serverId);
      if (refusal) return refusal;
      const server = await findServer(serverId);
      if (!server) return refuse('NOT_FOUND');
      const before = obstacleOf(server, null);
      if (before) return refuse(before.code);
      if (!(await lists.refresh(serverId, planPatienceMs)))
        return refuse('MODS_AGENT_AWAY', 'The Game Agent did not tell which mods are there.');
      const kept = await lists.read(serverId);
      if (!kept) return refuse('MODS_AGENT_AWAY');
      const { list } = kept;
      const hindrance = obstacleOf(server, list);
      if (hindrance) return refuse(hindrance.code, hindrance.detail ?? undefined);
      const refused = await refuseWishes(serverId, wishes, list);
      if (refused) return refused;
      const timeout = AbortSignal.timeout(planWithinMs);
      const within = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const pinned = await pins.all(serverId);
      const planned = await options.planChange(
        { game: server.game, list, pins: pinned, byName: actor.name },
        wishes,
        materialsOf(serverId, within),
        within,
      );
      const row = await insertPlan(db, serverId, wishes, list, planned);
      return shownPlan(row, {
        downloadBytes: planned.downloadBytes,
        needsRestart: planned.lines.length > 0 && isRunning(serverId),
        rehearsalObstacle: list.rehearsalObstacle,
      });
    },

    async begin(serverId, request, origin, by) {
      const refusal = lacks(by.actor, 'mods.write', serverId);
      if (refusal) return refusal;
      const server = await findServer(serverId);
      if (!server) return refuse('NOT_FOUND');
      const row = await beginJob(db, {
        serverId,
        request,
        origin,
        by,
        async prepare({ base }) {
          const known = await lists.refresh(serverId).then(() => lists.read(serverId));
          const hindrance = obstacleOf(server, known?.list ?? null);
          // It waits for an agent that is away.
          if (hindrance && hindrance.code !== 'MODS_AGENT_AWAY')
            return refuse(hindrance.code, hindrance.detail ?? undefined);
          if (known?.list.revision !== Number(base)) return refuse('MOD_PLAN_OUTDATED');
          const settings = await options.settings();
          const { readySeconds = settings.readySeconds, watchSeconds = settings.watchSeconds } =
            request.watch ?? {};
          return {
            watch: { readySeconds, watchSeconds },
            countdown: await countdownOf(serverId, request.countdownSeconds, settings),
            backup: request.backup,
            rehearse: request.rehearse,
          };
        },
      });
      if (isRefusal(row)) return row;
      runner.look();
      return showOf(row, by.actor);
    },

    async page(serverId, query, actor) {
      const refusal = lacks(actor, 'mods.read', serverId);
      if (refusal) return refusal;
      const server = await findServer(serverId);
      if (!server) return refuse('NOT_FOUND');
      const kept = await lists.read(serverId);
      const of = { name: server.name, revision: kept?.list.revision ?? null };
      const page = await readOlderPage<ModJobRow>(
        query,
        ({ beyond, limit }) =>
          jobsOf(serverId)
            .$if(beyond !== null, (select) => select.where('number', '<', beyond?.id ?? '0'))
            .orderBy('number', 'desc')
            .limit(limit)
            .execute(),
        ({ requested_at: at, number: id }) => ({ at, id }),
      );
      return {
        rows: await Promise.all(page.rows.map((row) => show(row, actor, of))),
        nextCursor: page.nextCursor,
      };
    },

    async jobs(waves, actor) {
      if (waves.length === 0) return [];
      const rows = await db
        .selectFrom('mod_jobs as job')
        .innerJoin('game_servers as server', 'server.id', 'job.server_id')
        .leftJoin('server_mods as kept', 'kept.server_id', 'job.server_id')
        .selectAll('job')
        .select(['server.name', 'kept.list'])
        .where('job.wave', 'in', waves)
        .orderBy('job.number')
        .execute();
      return Promise.all(
        rows
          .filter((row) => actor === null || may(actor, 'mods.read', row.server_id))
          .map(({ name, list, ...row }) => show(row, actor, { name, revision: list?.revision ?? null })),
      );
    },

    async cancel(serverId, jobId, by) {
      const refusal = lacks(by.actor, 'mods.write', serverId);
      if (refusal) return refusal;
      const found = await findJob(serverId, jobId);
      if (!found) return refuse('NOT_FOUND');
      const row = await markCancelled(db, found, by);
      if (!row) return refuse('MODS_NOT_CANCELLABLE');
      if (row.state === 'running' && row.task_id) await tasks.cancel(serverId, row.task_id);
      runner.look();
      return showOf(row, by.actor);
    },

    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

export const lacks = (
  actor: Actor,
  permission: 'mods.read' | 'mods.write',
  serverId: string,
): Refusal | null =>
  may(actor, permission, serverId)
    ? null
    : refuse('FORBIDDEN', `This needs the permission ${permission} for this server.`);

/** What waits ends at once; of what is under way the agent is told. @returns null: it has ended */
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

type ShownList = NonNullable<ServerMods['list']>;
const shownList = (
  { at, list }: { readonly at: Date; readonly list: ModsList },
  pinned: Awaited<ReturnType<ModPins['all']>>,
  findings: ModFindings,
): ShownList => {
  const { obstacle: _, obstacleDetail: __, installed, found, ...rest } = list;
  return {
    ...rest,
    at: at.toISOString(),
    installed: installed.map((mod) => ({
      ...mod,
      pin: pinned.get(mod.key) ?? null,
      update: null,
      project: null,
      ...findings.installed(mod.key),
    })),
    found: found.map((mod) => ({ ...mod, known: findings.found(mod.path) })),
  };
};
