import type { Kysely, Selectable } from 'kysely';
import { problems } from '#contracts/kernel/problems.ts';
import type { AgentTask, SavesSchedule, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type {
  RequestedSchedule,
  RestoreRun,
  RestoreRunRequest,
  SaveAct,
  SaveRequest,
  ServerSaves,
} from '#contracts/servers/saves.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createAgentActs, shownOf } from '../agent-acts.ts';
import type { AgentTasks } from '../agent-tasks.ts';
import type { AgentGateway } from '../agents/agent-gateway.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';
import type { Power } from '../power/power.ts';
import type { ServerStatuses } from '../server-status/server-status.ts';
import { createKeptLists } from './kept-lists.ts';
import { createRestoreRuns } from './restore-runs.ts';
import { markDatedAhead, readBackupName } from './saves-list.ts';
import { restoreObstacle, type SavesFacts, savesObstacle } from './saves-obstacles.ts';
import { createSavesSchedules } from './schedules.ts';

/** Records the event of an act that has ended. A finished backup is reported by the agent's next list, as for nightly ones. */
const recordActEvent = async (
  trx: Kysely<Tables>,
  row: Selectable<Tables['save_acts']>,
  { outcome, detail, value }: TaskResult,
): Promise<{ readonly backup: string | null }> => {
  const { id, server_id: serverId, action, actor_name: by } = row;
  const made = action === 'backup' && outcome === 'done' ? readBackupName(value) : null;
  if (made !== null) await trx.updateTable('save_acts').set({ backup: made }).where('id', '=', id).execute();
  const { name } = await trx
    .selectFrom('game_servers')
    .select('name')
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow();
  const backup = row.backup ?? '';
  if (action === 'backup' && outcome !== 'done' && outcome !== 'cancelled')
    await recordEvent(trx, 'saves.backup-failed', { name, by, detail: detail ?? '' }, { serverId });
  if (action === 'restore' && outcome === 'done')
    await recordEvent(trx, 'saves.restored', { name, backup, by }, { serverId });
  if (action === 'undo' && outcome === 'done')
    await recordEvent(trx, 'saves.restore-undone', { name, backup, by }, { serverId });
  return { backup: made ?? row.backup };
};

/** Backs up and restores games' saves through their agents. */
export type Saves = ReturnType<typeof createSaves>;

/** An agent that has not accepted an act by this time never does. */
const expiresInMs = 30_000;

export const createSaves = ({
  db,
  directory,
  agents,
  tasks,
  statuses,
  power,
  licenseHolds,
  roundMs,
  log,
}: Pick<Kernel, 'db' | 'licenseHolds' | 'log'> & {
  readonly directory: ServerDirectory;
  readonly agents: AgentGateway;
  readonly tasks: AgentTasks;
  readonly statuses: ServerStatuses;
  readonly power: Power;
  /** How often the next step of each restore is looked at. */
  readonly roundMs?: number | undefined;
}) => {
  const owned = new AsyncDisposableStack();
  const lists = owned.use(createKeptLists({ db, directory, tasks, log }));
  const schedules = owned.use(createSavesSchedules({ db, directory, tasks, lists, log }));
  const acts = owned.use(
    createAgentActs({
      db,
      table: 'save_acts',
      tasks,
      audit: {
        cancelled: 'saves.cancelled',
        ended: 'saves.ended',
        of: ({ action, backup }) => ({ action, backup }),
      },
      onEnd: recordActEvent,
      onEnded: lists.changed,
      log,
    }),
  );

  const factsOf = (serverId: string, isUnconfirmed: boolean): SavesFacts => {
    const { machine, process, takesTasks } = tasks.machineOf(serverId);
    return {
      isArchived: directory.get(serverId) === null,
      isAgentPresent: agents.isPresent(serverId),
      takesTasks,
      machine: machine?.facts ?? null,
      process: process?.isCurrent ? process.report.state : null,
      isOnline: statuses.read(serverId).shown === 'online',
      isUnconfirmed,
    };
  };
  /** Includes archived servers. Null: the server does not exist. */
  const nameOf = async (serverId: string): Promise<string | null> => {
    const row = await db
      .selectFrom('game_servers')
      .select('name')
      .where('id', '=', serverId)
      .executeTakeFirst();
    return row?.name ?? null;
  };
  const shown = async (row: Selectable<Tables['save_acts']>): Promise<SaveAct> => ({
    ...shownOf(row, await acts.progressOf(row)),
    action: row.action,
    backup: row.backup,
  });
  const lacks = (actor: Actor, permission: 'saves.read' | 'saves.write', serverId: string): Refusal | null =>
    may(actor, permission, serverId)
      ? null
      : refuse('FORBIDDEN', `This needs the permission ${permission} for this server.`);
  /** A script may take backups; only a person replaces or deletes worlds. */
  const refuseActor = (
    serverId: string,
    { action }: Pick<SaveRequest, 'action'>,
    actor: Actor,
  ): Refusal | null => {
    const refusal = lacks(actor, 'saves.write', serverId);
    if (refusal || action === 'backup') return refusal;
    return refuseWithoutStepUp(actor);
  };

  const canUndo = (serverId: string): boolean =>
    tasks.machineOf(serverId).machine?.facts.tasks.includes('undo-restore') === true;

  /** What can be undone needs no name, and an undo deletes nothing. */
  const isRightName = (
    serverId: string,
    { serverName }: { serverName?: string | undefined },
    name: string,
  ) => (serverName === undefined ? canUndo(serverId) : asCompared(serverName) === asCompared(name));

  /**
   * Why it cannot be done now; null: it can.
   * @param within a run: the game is stopped first, and what was typed was checked when the run began
   */
  const whyNot = async (
    serverId: string,
    request: SaveRequest | RestoreRunRequest,
    within: { readonly stopsFirst?: true; readonly isNamed?: true } = {},
  ): Promise<Refusal | null> => {
    const name = await nameOf(serverId);
    if (name === null) return refuse('NOT_FOUND');
    const obstacle = savesObstacle(factsOf(serverId, false));
    if (obstacle) return refuse(obstacle, problems[obstacle].remedy);
    if (!tasks.machineOf(serverId).machine?.facts.tasks.includes(taskOf(request).kind))
      return refuse('SAVES_AGENT_TOO_OLD', problems.SAVES_AGENT_TOO_OLD.remedy);
    if (request.action === 'backup') return null;
    const isNamed = within.isNamed || request.action === 'confirm' || isRightName(serverId, request, name);
    if (!isNamed) return refuse('SAVES_NAME_MISMATCH', problems.SAVES_NAME_MISMATCH.remedy);
    if (request.action === 'restore') await lists.refresh(serverId);
    const kept = await lists.read(serverId);
    const facts = factsOf(serverId, kept !== null && kept.list.unconfirmed !== null);
    const then = within.stopsFirst ? { ...facts, process: 'stopped' as const } : facts;
    const hindrance = restoreObstacle(request.action, then);
    return hindrance && refuse(hindrance, problems[hindrance].remedy);
  };

  const begin = async (
    serverId: string,
    request: SaveRequest,
    key: string | null,
    by: AuditContext,
    within: Parameters<typeof whyNot>[2] = {},
  ): Promise<SaveAct | Refusal> => {
    const { action } = request;
    const backup = 'backup' in request ? request.backup : null;
    const asked = JSON.stringify(request);
    const row = await acts.ask({
      serverId,
      key,
      by,
      isSame: (act) => act.server_id === serverId && act.request === asked,
      prepare: async () =>
        (await whyNot(serverId, request, within)) ?? {
          task: taskOf(request),
          expiresInMs,
          columns: { action, request: asked, backup },
          audit: { action: `saves.${action}`, after: { backup } },
        },
      busy: (open) =>
        refuse('SAVES_BUSY', open ? `${open.actor_name} asked for this: ${open.action}.` : undefined),
    });
    return isRefusal(row) ? row : shown(row);
  };
  const runs = owned.use(
    createRestoreRuns({
      db,
      power,
      licenseHolds,
      roundMs,
      replace: (serverId, request, key, by) => begin(serverId, request, key, by, { isNamed: true }),
      isRunning: (serverId) => restoreObstacle('undo', factsOf(serverId, false)) === 'SAVES_GAME_RUNNING',
      log,
    }),
  );

  return {
    async read(serverId: string, actor: Actor): Promise<ServerSaves | Refusal> {
      const refusal = lacks(actor, 'saves.read', serverId);
      if (refusal) return refusal;
      if ((await nameOf(serverId)) === null) return refuse('NOT_FOUND');
      if (savesObstacle(factsOf(serverId, false)) === null) await lists.refresh(serverId);
      const kept = await lists.read(serverId);
      const { act, lastAct } = await acts.read(serverId);
      const facts = factsOf(serverId, kept !== null && kept.list.unconfirmed !== null);
      const obstacle = savesObstacle(facts);
      return {
        isAgentPresent: facts.isAgentPresent,
        obstacle,
        restoreObstacle: obstacle === null ? restoreObstacle('restore', facts) : null,
        list: kept && { at: kept.at.toISOString(), ...markDatedAhead(kept.list, Date.now()) },
        schedule: await schedules.read(serverId, kept?.list ?? null),
        canUndo: canUndo(serverId),
        run: await runs.newest(serverId),
        act: act && (await shown(act)),
        lastAct: lastAct && (await shown(lastAct)),
      };
    },

    async act(
      serverId: string,
      request: SaveRequest,
      key: string | null,
      by: AuditContext,
    ): Promise<SaveAct | Refusal> {
      const refusal = refuseActor(serverId, request, by.actor);
      if (refusal) return refusal;
      if (request.action !== 'backup' && (await runs.newest(serverId))?.outcome === null)
        return refuse('SAVES_BUSY');
      return begin(serverId, request, key, by);
    },

    /** Begins a restore that stops and starts the game by itself. */
    async run(
      serverId: string,
      request: RestoreRunRequest,
      key: string | null,
      by: AuditContext,
    ): Promise<RestoreRun | Refusal> {
      const refusal = refuseActor(serverId, request, by.actor);
      if (refusal) return refusal;
      const earlier = await runs.ofKey(serverId, request, key, by);
      if (earlier) return earlier;
      const objection = await whyNot(serverId, request, { stopsFirst: true });
      return objection ?? runs.begin(serverId, request, key, by);
    },

    /** Sets when its saves are backed up. */
    async schedule(
      serverId: string,
      request: { readonly version: number; readonly schedule: SavesSchedule | null },
      by: AuditContext,
    ): Promise<RequestedSchedule | Refusal> {
      const refusal = lacks(by.actor, 'saves.write', serverId);
      if (refusal) return refusal;
      if ((await nameOf(serverId)) === null) return refuse('NOT_FOUND');
      return schedules.change(serverId, request, by);
    },

    async cancel(serverId: string, actId: string, by: AuditContext): Promise<SaveAct | Refusal> {
      const refusal = lacks(by.actor, 'saves.write', serverId);
      if (refusal) return refusal;
      const row = await acts.find(serverId, actId);
      if (!row) return refuse('NOT_FOUND');
      if (row.ended_at !== null || (row.action !== 'backup' && row.action !== 'restore'))
        return refuse('SAVES_NOT_CANCELLABLE');
      return shown(await acts.cancel(row, by));
    },

    /** Resumes what was running before this process. May be called again. */
    async prepare(): Promise<void> {
      await acts.prepare();
      runs.prepare();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

/** Letters that look the same compare as equal, however they were typed. */
const asCompared = (name: string): string => name.normalize('NFC').trim();

const taskOf = (request: SaveRequest | RestoreRunRequest): AgentTask => {
  switch (request.action) {
    case 'backup':
      return { kind: 'backup-saves' };
    case 'restore':
      return { kind: 'restore-saves', backup: request.backup };
    case 'undo':
      return { kind: 'undo-restore', backup: request.backup };
    case 'confirm':
      return { kind: 'confirm-restore', backup: request.backup };
  }
};
