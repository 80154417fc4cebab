import type { Selectable } from 'kysely';
import { problems } from '#contracts/kernel/problems.ts';
import { programFault } from '#contracts/kernel/program-faults.ts';
import { storableValue } from '#contracts/kernel/storable-text.ts';
import type { AgentTask, MachineFacts, ProcessReport } from '#contracts/servers/agent-tasks.ts';
import type { PowerAct, PowerObstacle, PowerRequest, ServerPower } from '#contracts/servers/power.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Settings } from '../../operations/settings.ts';
import { createAgentActs, shownOf } from '../agent-acts.ts';
import type { AgentTasks } from '../agent-tasks.ts';
import type { AgentGateway } from '../agents/agent-gateway.ts';
import { announcement } from '../announcement.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';
import type { ServerStatuses } from '../server-status/server-status.ts';
import { createProcessBook } from './process-book.ts';

/** Why a server's process cannot be managed; null: it can. */
const powerObstacle = (facts: {
  readonly isArchived: boolean;
  /** The server's agent is connected and was heard from recently. */
  readonly isAgentPresent: boolean;
  /** The agent accepts tasks now. */
  readonly takesTasks: boolean;
  /** What is configured on its machine; null: it has not reported. */
  readonly machine: Pick<MachineFacts, 'startMethod' | 'allows' | 'tasks'> | null;
}): PowerObstacle | null => {
  const { isArchived, isAgentPresent, takesTasks, machine } = facts;
  if (isArchived) return 'SERVER_ARCHIVED';
  if (!isAgentPresent) return 'POWER_AGENT_AWAY';
  if (!takesTasks || !machine) return 'POWER_AGENT_TOO_OLD';
  if (machine.startMethod === 'none') return 'POWER_UNMANAGED';
  if (!machine.allows.power) return 'POWER_NOT_ALLOWED';
  return machine.tasks.includes('power') ? null : 'POWER_AGENT_TOO_OLD';
};

/** Starts and stops games through their agents. */
export type Power = ReturnType<typeof createPower>;

/** An agent that has not accepted an act by this time never does. */
const expiresInMs = 30_000;

export const createPower = ({
  db,
  directory,
  agents,
  tasks,
  statuses,
  settings,
  onChange,
  log,
}: Pick<Kernel, 'db' | 'log'> & {
  readonly directory: ServerDirectory;
  readonly agents: AgentGateway;
  readonly tasks: AgentTasks;
  readonly statuses: ServerStatuses;
  readonly settings: Pick<Settings, 'values'>;
  /** An act on this server has ended, or a report about its process is stored. */
  readonly onChange: (serverId: string) => void;
}) => {
  const owned = new AsyncDisposableStack();
  const processes = owned.use(createProcessBook({ db, directory, tasks, onWritten: onChange, log }));
  owned.defer(tasks.onChange(processes.hear));
  owned.defer(statuses.onSweep(processes.look));
  const acts = owned.use(
    createAgentActs({
      db,
      table: 'power_acts',
      tasks,
      audit: {
        cancelled: 'servers.power-cancelled',
        ended: 'servers.power-ended',
        of: ({ action }) => ({ action }),
      },
      async onEnd(trx, { id }, { value }) {
        const program = programFault.safeParse(value?.program).data;
        if (!program) return {};
        const fault = storableValue(program);
        await trx
          .updateTable('power_acts')
          .set({ program: JSON.stringify(fault) })
          .where('id', '=', id)
          .execute();
        return { program: fault };
      },
      onEnded: onChange,
      log,
    }),
  );

  const obstacleOf = (serverId: string) => {
    const { machine, takesTasks } = tasks.machineOf(serverId);
    return powerObstacle({
      isArchived: directory.get(serverId) === null,
      isAgentPresent: agents.isPresent(serverId),
      takesTasks,
      machine: machine?.facts ?? null,
    });
  };

  const usualCountdown = async (serverId: string): Promise<number> => {
    const { shown, players } = statuses.read(serverId);
    // Without its console, no one can be warned.
    if (shown !== 'online' || players === 0) return 0;
    return (await settings.values('power')).countdownSeconds;
  };

  const shown = async (row: Selectable<Tables['power_acts']>): Promise<PowerAct> => ({
    ...shownOf(row, await acts.progressOf(row)),
    action: row.action,
    countdownSeconds: row.countdown_seconds,
    program: row.program,
  });
  const refuseActor = (serverId: string, { actor }: AuditContext): Refusal | null =>
    may(actor, 'servers.power', serverId)
      ? null
      : refuse('FORBIDDEN', 'This needs the permission servers.power for this server.');
  const exists = async (serverId: string): Promise<boolean> =>
    (await db.selectFrom('game_servers').select('id').where('id', '=', serverId).executeTakeFirst()) !==
    undefined;

  const taskOf = async ({ action }: PowerRequest, seconds: number): Promise<AgentTask> => {
    const isAnnounced = seconds > 0 && (action === 'stop' || action === 'restart');
    if (!isAnnounced) return { kind: 'power', action, countdown: null };
    const { language } = await settings.values('general');
    return { kind: 'power', action, countdown: { seconds, text: announcement(action, language) } };
  };

  return {
    async read(serverId: string, actor: Actor): Promise<ServerPower | Refusal> {
      if (!may(actor, 'servers.read', serverId)) return refuse('FORBIDDEN');
      if (!(await exists(serverId))) return refuse('NOT_FOUND');
      const { machine, process } = tasks.machineOf(serverId);
      const { act, lastAct } = await acts.read(serverId);
      const seesMachine = (['servers.power', 'servers.write', 'agents.write'] as const).some((name) =>
        may(actor, name, serverId),
      );
      const { crashAtMs, report } = processes.read(serverId) ?? { crashAtMs: null, report: null };
      const crash = report?.lastCrash ?? null;
      return {
        isAgentPresent: agents.isPresent(serverId),
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
        machine: seesMachine && machine ? withoutRenewal(machine.facts) : null,
        act: act && (await shown(act)),
        lastAct: lastAct && (await shown(lastAct)),
        defaultCountdownSeconds: await usualCountdown(serverId),
      };
    },

    async act(
      serverId: string,
      request: PowerRequest,
      key: string | null,
      by: AuditContext,
    ): Promise<PowerAct | Refusal> {
      const refusal = refuseActor(serverId, by);
      if (refusal) return refusal;
      const { action } = request;
      const stops = action === 'stop' || action === 'restart';
      const row = await acts.ask({
        serverId,
        key,
        by,
        isSame: (act) =>
          act.server_id === serverId &&
          act.action === action &&
          act.countdown_seconds === (stops ? (request.countdownSeconds ?? act.countdown_seconds) : 0),
        async prepare() {
          if (!directory.get(serverId) && !(await exists(serverId))) return refuse('NOT_FOUND');
          const obstacle = obstacleOf(serverId);
          if (obstacle) return refuse(obstacle, problems[obstacle].remedy);
          const countdownSeconds = stops ? (request.countdownSeconds ?? (await usualCountdown(serverId))) : 0;
          return {
            task: await taskOf(request, countdownSeconds),
            expiresInMs,
            columns: { action, countdown_seconds: countdownSeconds },
            audit: { action: `servers.${action}`, after: { countdownSeconds } },
          };
        },
        busy: (open) =>
          refuse('POWER_BUSY', open ? `${open.actor_name} asked for this: ${open.action}.` : undefined),
      });
      return isRefusal(row) ? row : shown(row);
    },

    async cancel(serverId: string, actId: string, by: AuditContext): Promise<PowerAct | Refusal> {
      const refusal = refuseActor(serverId, by);
      if (refusal) return refusal;
      const row = await acts.find(serverId, actId);
      if (!row) return refuse('NOT_FOUND');
      if (row.ended_at !== null || (row.action !== 'stop' && row.action !== 'restart'))
        return refuse('POWER_NOT_CANCELLABLE');
      return shown(await acts.cancel(row, by));
    },

    /** Why nothing can be done with its process now; null: it can. */
    obstacle: obstacleOf,
    /** Resumes what was running before this process. May be called again. */
    async prepare(): Promise<void> {
      await processes.prepare();
      await acts.prepare();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

const withoutRenewal = ({ renewal: _, ...facts }: MachineFacts) => facts;
const withoutCrash = ({ lastCrash: _, ...report }: ProcessReport) => report;
