import type { ModsList } from '#contracts/agent-mods.ts';
import type { MachineFacts } from '#contracts/agent-tasks.ts';
import type { ServerModsObstacle } from '#contracts/mods.ts';

export interface ModsFacts {
  readonly isArchived: boolean;
  /** The server's agent is connected and was heard from recently. */
  readonly isAgentPresent: boolean;
  /** The agent accepts tasks now. */
  readonly takesTasks: boolean;
  /** What is configured on its machine; null: it has not reported. */
  readonly machine: Pick<MachineFacts, 'folder' | 'allows' | 'tasks'> | null;
  readonly list: Pick<ModsList, 'obstacle' | 'obstacleDetail'> | null;
}

/** Why a server's mods cannot be managed; null: they can. */
export const modsObstacle = (
  facts: ModsFacts,
): { readonly code: ServerModsObstacle; readonly detail: string | null } | null => {
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
