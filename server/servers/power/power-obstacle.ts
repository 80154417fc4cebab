import type { MachineFacts } from '#contracts/servers/agent-tasks.ts';
import type { PowerObstacle } from '#contracts/servers/power.ts';

interface PowerFacts {
  readonly isArchived: boolean;
  /** The server's agent is connected and was heard from recently. */
  readonly isAgentPresent: boolean;
  /** The agent accepts tasks now. */
  readonly takesTasks: boolean;
  /** What is configured on its machine; null: it has not reported. */
  readonly machine: Pick<MachineFacts, 'startMethod' | 'allows' | 'tasks'> | null;
}

/** Why a server's process cannot be managed; null: it can. */
export const powerObstacle = (facts: PowerFacts): PowerObstacle | null => {
  const { isArchived, isAgentPresent, takesTasks, machine } = facts;
  if (isArchived) return 'SERVER_ARCHIVED';
  if (!isAgentPresent) return 'POWER_AGENT_AWAY';
  if (!takesTasks || !machine) return 'POWER_AGENT_TOO_OLD';
  if (machine.startMethod === 'none') return 'POWER_UNMANAGED';
  if (!machine.allows.power) return 'POWER_NOT_ALLOWED';
  return machine.tasks.includes('power') ? null : 'POWER_AGENT_TOO_OLD';
};
