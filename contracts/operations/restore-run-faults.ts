export const restoreRunSteps = ['stopping', 'restoring', 'starting'] as const;

/** Problem codes of why a step of a restore that goes through by itself waits or fails. */
export const restoreRunFaults = [
  'SERVER_ARCHIVED',
  'SAVES_AGENT_AWAY',
  'SAVES_AGENT_TOO_OLD',
  'SAVES_FOLDER_UNKNOWN',
  'SAVES_NOT_ALLOWED',
  'SAVES_GAME_RUNNING',
  'SAVES_UNCONFIRMED',
  'SAVES_BUSY',
  'POWER_AGENT_AWAY',
  'POWER_AGENT_TOO_OLD',
  'POWER_UNMANAGED',
  'POWER_NOT_ALLOWED',
  'POWER_BUSY',
] as const;
