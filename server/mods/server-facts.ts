import type { Kysely, Selectable } from 'kysely';
import type { ModsList } from '#contracts/agent-mods.ts';
import type { ProcessState } from '#contracts/agent-tasks.ts';
import type { GameServerStatus } from '#contracts/game-servers.ts';
import type { AgentTasks } from '../agent-tasks/agent-tasks.ts';
import type { Tables } from '../database/tables.ts';
import { modsObstacle } from './mods-obstacles.ts';

export interface ServerFactsOptions {
  readonly db: Kysely<Tables>;
  readonly tasks: Pick<AgentTasks, 'machineOf'>;
  readonly isAgentPresent: (serverId: string) => boolean;
  readonly statusOf: (serverId: string) => Pick<GameServerStatus, 'shown' | 'players'>;
}

export type ServerRow = Pick<Selectable<Tables['game_servers']>, 'id' | 'name' | 'game' | 'archived_at'>;
export type ServerFacts = ReturnType<typeof createServerFacts>;

const runningStates: ReadonlySet<ProcessState> = new Set(['starting', 'running', 'stopping', 'backing-off']);

/** The facts about its server that a change of mods needs. */
export const createServerFacts = ({ db, tasks, isAgentPresent, statusOf }: ServerFactsOptions) => ({
  find: async (serverId: string): Promise<ServerRow | null> =>
    (await db
      .selectFrom('game_servers')
      .select(['id', 'name', 'game', 'archived_at'])
      .where('id', '=', serverId)
      .executeTakeFirst()) ?? null,

  obstacleOf(server: ServerRow, list: ModsList | null) {
    const { takesTasks, machine } = tasks.machineOf(server.id);
    return modsObstacle({
      isArchived: server.archived_at !== null,
      isAgentPresent: isAgentPresent(server.id),
      takesTasks,
      machine: machine?.facts ?? null,
      list,
    });
  },

  isRunning(serverId: string): boolean {
    const { process } = tasks.machineOf(serverId);
    const isManaged = process?.isCurrent && process.report.state !== 'unmanaged';
    return isManaged ? runningStates.has(process.report.state) : statusOf(serverId).shown === 'online';
  },

  countdownOf(
    serverId: string,
    asked: number | undefined,
    usual: { readonly countdownSeconds: number; readonly restartText: string },
  ) {
    const { shown, players } = statusOf(serverId);
    // Without its console, no one can be warned.
    const seconds = asked ?? (shown === 'online' && players !== 0 ? usual.countdownSeconds : 0);
    return seconds > 0 ? { seconds, text: usual.restartText } : null;
  },
});
