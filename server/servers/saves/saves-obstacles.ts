import type { MachineFacts, ProcessState } from '#contracts/servers/agent-tasks.ts';
import type { RestoreObstacle, SavesObstacle } from '#contracts/servers/saves.ts';

export interface SavesFacts {
  readonly isArchived: boolean;
  /** The server's agent is connected and was heard from recently. */
  readonly isAgentPresent: boolean;
  /** The agent accepts tasks now. */
  readonly takesTasks: boolean;
  /** What is configured on its machine; null: it has not reported. */
  readonly machine: Pick<MachineFacts, 'folder' | 'allows' | 'tasks'> | null;
  /** The game's, as the agent reports it now; null: it has not reported. */
  readonly process: ProcessState | null;
  /** The game itself responds. */
  readonly isOnline: boolean;
  /** A restore waits for a decision. */
  readonly isUnconfirmed: boolean;
}

/** Why a server's saves cannot be managed; null: they can. */
export const savesObstacle = (facts: SavesFacts): SavesObstacle | null => {
  const { isArchived, isAgentPresent, takesTasks, machine } = facts;
  if (isArchived) return 'SERVER_ARCHIVED';
  if (!isAgentPresent) return 'SAVES_AGENT_AWAY';
  if (!takesTasks || !machine) return 'SAVES_AGENT_TOO_OLD';
  if (machine.folder === null) return 'SAVES_FOLDER_UNKNOWN';
  return machine.tasks.includes('backup-saves') ? null : 'SAVES_AGENT_TOO_OLD';
};

const runningStates: ReadonlySet<ProcessState> = new Set(['starting', 'running', 'stopping', 'backing-off']);

/** Why worlds cannot be replaced or deleted where backups can be taken. The agent itself verifies that the game is stopped. */
export const restoreObstacle = (
  action: 'restore' | 'undo' | 'confirm',
  { machine, process, isOnline, isUnconfirmed }: SavesFacts,
): RestoreObstacle | null => {
  if (!machine?.allows.files) return 'SAVES_NOT_ALLOWED';
  if (action === 'confirm') return null;
  // If nothing manages the game's process, only the game itself shows that it runs.
  const isManaged = process !== null && process !== 'unmanaged';
  if (isManaged ? runningStates.has(process) : isOnline) return 'SAVES_GAME_RUNNING';
  return action === 'restore' && isUnconfirmed ? 'SAVES_UNCONFIRMED' : null;
};
