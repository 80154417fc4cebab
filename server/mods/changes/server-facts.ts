import type { Kysely, Selectable } from 'kysely';
import type { ServerModsObstacle } from '#contracts/mods/mods.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { MachineFacts, ProcessState } from '#contracts/servers/agent-tasks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Servers } from '../../servers/servers.ts';

/** Why a server's mods cannot be managed; null: they can. */
const modsObstacle = (facts: {
  readonly isArchived: boolean;
  /** The server's agent is connected and was heard from recently. */
  readonly isAgentPresent: boolean;
  /** The agent accepts tasks now. */
  readonly takesTasks: boolean;
  /** What is configured on its machine; null: it has not reported. */
  readonly machine: Pick<MachineFacts, 'folder' | 'allows' | 'tasks'> | null;
  readonly list: Pick<ModsList, 'obstacle' | 'obstacleDetail'> | null;
}): { readonly code: ServerModsObstacle; readonly detail: string | null } | null => {
  const { isArchived, isAgentPresent, takesTasks, machine, list } = facts;
  const plain = (code: ServerModsObstacle) => ({ code, detail: null });
  if (isArchived) return plain('SERVER_ARCHIVED');
  if (!isAgentPresent) return plain('MODS_AGENT_AWAY');
  if (!takesTasks || !machine) return plain('MODS_AGENT_TOO_OLD');
  if (machine.folder === null) return plain('MODS_NO_FOLDER');
  if (!machine.tasks.includes('change-mods')) return plain('MODS_AGENT_TOO_OLD');
  if (!machine.allows.mods) return plain('MODS_NOT_ALLOWED');
  return list?.obstacle ? { code: list.obstacle, detail: list.obstacleDetail } : null;
};

type ServerRow = Pick<Selectable<Tables['game_servers']>, 'id' | 'name' | 'game' | 'archived_at'>;
export type ServerFacts = ReturnType<typeof createServerFacts>;

const runningStates: ReadonlySet<ProcessState> = new Set(['starting', 'running', 'stopping', 'backing-off']);

/** The facts about its server that a change of mods needs. */
export const createServerFacts = ({
  db,
  servers: { tasks, agents, statusOf },
}: {
  readonly db: Kysely<Tables>;
  readonly servers: Servers;
}) => ({
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
      isAgentPresent: agents.isPresent(server.id),
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
