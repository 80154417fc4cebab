import type { Kysely } from 'kysely';
import type { AgentTask, ProcessReport } from '#contracts/agent-tasks.ts';
import type { GameServerStatus } from '#contracts/game-servers.ts';
import type { Language } from '#contracts/language.ts';
import type { PowerAct, PowerRequest, ServerPower } from '#contracts/power.ts';
import { problems } from '#contracts/problems.ts';
import type { Log } from '#runtime/log.ts';
import { type Actor, may } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import type { AgentTasks } from '../agent-tasks/agent-tasks.ts';
import type { Tables } from '../database/tables.ts';
import { isTaken } from '../database/unique-violation.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import { announcement } from './announcement.ts';
import {
  endAct,
  findAct,
  findByKey,
  insertAct,
  markCancelled,
  readActs,
  type StoredAct,
  shownAct,
} from './power-acts.ts';
import { powerObstacle } from './power-obstacle.ts';
import type { ProcessBook } from './process-book.ts';

export interface PowerOptions {
  readonly db: Kysely<Tables>;
  /** Those in use. */
  readonly servers: { get(id: string): object | null };
  readonly tasks: Pick<AgentTasks, 'start' | 'get' | 'cancel' | 'machineOf' | 'onChange'>;
  readonly isAgentPresent: (serverId: string) => boolean;
  readonly processes: Pick<ProcessBook, 'read'>;
  readonly statusOf: (serverId: string) => GameServerStatus;
  /** An act on this server has ended. */
  readonly onEnded: (serverId: string) => void;
  readonly settings: () => Promise<{ readonly language: Language; readonly countdownSeconds: number }>;
  readonly log: Log;
}

/** Starts and stops games by their agents. */
export interface Power extends AsyncDisposable {
  read(serverId: string, actor: Actor): Promise<ServerPower | Refusal>;
  act(
    serverId: string,
    request: PowerRequest,
    key: string | null,
    by: AuditContext,
  ): Promise<PowerAct | Refusal>;
  cancel(serverId: string, actId: string, by: AuditContext): Promise<PowerAct | Refusal>;
  /** Takes up what was under way before this process. May be called again. */
  prepare(): Promise<void>;
}

/** An agent that does not take an act by then never does. */
const expiresInMs = 30_000;

export const createPower = (options: PowerOptions): Power => {
  const { db, servers, tasks, processes, statusOf, log } = options;
  /** Acts under way, by server. */
  const open = new Map<string, Set<string>>();
  const opened = (serverId: string, id: string) => {
    open.set(serverId, (open.get(serverId) ?? new Set()).add(id));
  };
  const looking = new Map<string, Promise<void>>();

  const obstacleOf = (serverId: string) => {
    const { machine, takesTasks } = tasks.machineOf(serverId);
    return powerObstacle({
      isArchived: servers.get(serverId) === null,
      isAgentPresent: options.isAgentPresent(serverId),
      takesTasks,
      machine: machine?.facts ?? null,
    });
  };

  const usualCountdown = async (serverId: string): Promise<number> => {
    const { shown, players } = statusOf(serverId);
    // Without its console, no one can be told.
    if (shown !== 'online' || players === 0) return 0;
    return (await options.settings()).countdownSeconds;
  };

  const look = async (serverId: string, id: string): Promise<void> => {
    const task = await tasks.get(serverId, id);
    if (task && task.result === null) return;
    const lost = { outcome: 'unknown', detail: 'Nothing is known of this any more.' } as const;
    await endAct(db, id, task?.result ?? lost);
    const own = open.get(serverId);
    own?.delete(id);
    if (own?.size === 0) open.delete(serverId);
    options.onEnded(serverId);
  };
  const lookSoon = (serverId: string) => {
    for (const id of open.get(serverId) ?? []) {
      if (looking.has(id)) continue;
      const work = look(serverId, id)
        .catch((error: unknown) => log.debug({ err: error }, 'an act could not be looked at; tried again'))
        .finally(() => looking.delete(id));
      looking.set(id, work);
    }
  };
  const stop = tasks.onChange(lookSoon);
  /** For what changed while it was looked at, or while the database was away. */
  const again = setInterval(() => {
    for (const serverId of open.keys()) lookSoon(serverId);
  }, 1000).unref();

  const shown = async (row: StoredAct): Promise<PowerAct> => {
    const task = row.ended_at === null ? await tasks.get(row.server_id, row.id) : null;
    return shownAct(row, task?.progress ?? null);
  };
  const refuseActor = (serverId: string, { actor }: AuditContext): Refusal | null =>
    may(actor, 'servers.power', serverId)
      ? null
      : refuse('FORBIDDEN', 'This needs the permission servers.power for this server.');
  const exists = async (serverId: string): Promise<boolean> =>
    (await db.selectFrom('game_servers').select('id').where('id', '=', serverId).executeTakeFirst()) !==
    undefined;

  const begin = async (
    serverId: string,
    { action }: PowerRequest,
    countdownSeconds: number,
    idempotencyKey: string | null,
    by: AuditContext,
  ): Promise<StoredAct> => {
    const { language } = await options.settings();
    const isAnnounced = countdownSeconds > 0 && (action === 'stop' || action === 'restart');
    const countdown = isAnnounced
      ? { seconds: countdownSeconds, text: announcement(action, language) }
      : null;
    const task: AgentTask = { kind: 'power', action, countdown };
    return db.transaction().execute(async (trx) => {
      const id = await tasks.start(trx, serverId, task, { by: by.actor, expiresInMs });
      return insertAct(trx, { id, serverId, action, countdownSeconds, idempotencyKey }, by);
    });
  };

  const repeated = async (
    row: StoredAct,
    serverId: string,
    { action, countdownSeconds = row.countdown_seconds }: PowerRequest,
  ): Promise<PowerAct | Refusal> => {
    const isSame =
      row.server_id === serverId && row.action === action && row.countdown_seconds === countdownSeconds;
    return isSame ? shown(row) : refuse('IDEMPOTENCY_MISMATCH');
  };

  return {
    async read(serverId, actor) {
      if (!may(actor, 'servers.read', serverId)) return refuse('FORBIDDEN');
      if (!(await exists(serverId))) return refuse('NOT_FOUND');
      const { machine, process } = tasks.machineOf(serverId);
      const { act, lastAct } = await readActs(db, serverId);
      const seesMachine = (['servers.power', 'servers.write', 'agents.write'] as const).some((name) =>
        may(actor, name, serverId),
      );
      const { crashAtMs, report } = processes.read(serverId) ?? { crashAtMs: null, report: null };
      const crash = report?.lastCrash ?? null;
      return {
        isAgentPresent: options.isAgentPresent(serverId),
        obstacle: obstacleOf(serverId),
        process: process && { at: process.at, report: withoutCrash(process.report) },
        lastCrash:
          crash && crashAtMs !== null
            ? {
                at: new Date(crashAtMs).toISOString(),
                exitCode: crash.exitCode,
                signal: crash.signal,
                lines: may(actor, 'console.read', serverId) ? crash.lines : [],
              }
            : null,
        machine: seesMachine ? (machine?.facts ?? null) : null,
        act: act && (await shown(act)),
        lastAct: lastAct && (await shown(lastAct)),
        defaultCountdownSeconds: await usualCountdown(serverId),
      };
    },

    async act(serverId, request, key, by) {
      const refusal = refuseActor(serverId, by);
      if (refusal) return refusal;
      const before = key === null ? undefined : await findByKey(db, by, key);
      if (before) return repeated(before, serverId, request);
      if (!servers.get(serverId) && !(await exists(serverId))) return refuse('NOT_FOUND');
      const obstacle = obstacleOf(serverId);
      if (obstacle) return refuse(obstacle, problems[obstacle].remedy);
      const stops = request.action === 'stop' || request.action === 'restart';
      const countdown = stops ? (request.countdownSeconds ?? (await usualCountdown(serverId))) : 0;
      try {
        const row = await begin(serverId, request, countdown, key, by);
        opened(serverId, row.id);
        return await shown(row);
      } catch (error) {
        if (!isTaken(error, 'power_acts_open') && !isTaken(error, 'power_acts_key')) throw error;
        // The same request at the same time, or another one that was first.
        const same = key === null ? undefined : await findByKey(db, by, key);
        if (same) return repeated(same, serverId, request);
        const { act } = await readActs(db, serverId);
        return refuse('POWER_BUSY', act ? `${act.actor_name} asked for this: ${act.action}.` : undefined);
      }
    },

    async cancel(serverId, actId, by) {
      const refusal = refuseActor(serverId, by);
      if (refusal) return refusal;
      const row = await findAct(db, serverId, actId);
      if (!row) return refuse('NOT_FOUND');
      if (row.ended_at !== null || (row.action !== 'stop' && row.action !== 'restart'))
        return refuse('POWER_NOT_CANCELLABLE');
      await markCancelled(db, row, by);
      await tasks.cancel(serverId, actId);
      await look(serverId, actId);
      return shown((await findAct(db, serverId, actId)) ?? row);
    },

    async prepare() {
      const rows = await db
        .selectFrom('power_acts')
        .select(['id', 'server_id'])
        .where('ended_at', 'is', null)
        .execute();
      for (const { id, server_id: serverId } of rows) opened(serverId, id);
    },

    async [Symbol.asyncDispose]() {
      stop();
      clearInterval(again);
      await Promise.all(looking.values());
    },
  };
};

const withoutCrash = ({ lastCrash: _, ...report }: ProcessReport) => report;
