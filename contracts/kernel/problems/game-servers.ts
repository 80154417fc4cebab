import type { ProblemEntry } from './problem-entry.ts';

/** Problems with game servers and their Game Agents. */
export const gameServerProblems = {
  SERVER_ARCHIVED: {
    status: 409,
    title: 'Archived',
    meaning: 'The server or its cluster is archived, so you can view it, but not use or change it.',
    remedy: 'Restore it first.',
  },
  SERVER_ADDRESS_TAKEN: {
    status: 409,
    title: 'Server already added',
    meaning: 'Another server has this host and port, perhaps written differently.',
    remedy: 'Open that server, or correct the host or the port.',
  },
  CLUSTER_NOT_EMPTY: {
    status: 409,
    title: 'Cluster not empty',
    meaning: 'The cluster still has active servers.',
    remedy: 'Archive them or move them to another cluster first.',
  },
  NO_SUCH_COMMAND: {
    status: 409,
    title: 'Not supported by the game',
    meaning: 'The game does not support this, or not for this player or these values.',
    remedy: 'Add what is missing, such as a Steam ID.',
  },
  POWER_AGENT_AWAY: {
    status: 409,
    title: 'Game Agent not connected',
    meaning: 'The game is started and stopped by a Game Agent, and none is connected for this server.',
    remedy: 'Start the server’s Game Agent, or set one up.',
  },
  POWER_AGENT_TOO_OLD: {
    status: 409,
    title: 'Game Agent outdated',
    meaning: 'This version of the Game Agent cannot start and stop the game.',
    remedy: 'Install the Game Agent that comes with this version of Castellan.',
  },
  POWER_NOT_ALLOWED: {
    status: 409,
    title: 'Not allowed on the game’s machine',
    meaning: 'The game’s machine does not allow Castellan to start and stop the game.',
    remedy:
      'Run `castellan-agent setup` on that machine and allow it, or set `"allow": { "power": true }` in the Game Agent’s config.json.',
  },
  POWER_UNMANAGED: {
    status: 409,
    title: 'Start command unknown',
    meaning: 'The Game Agent does not know which command or service starts the game.',
    remedy: 'Run `castellan-agent setup` on that machine and enter how the game starts.',
  },
  POWER_BUSY: {
    status: 409,
    title: 'Another action is in progress',
    meaning: 'The server is already starting, stopping or restarting. Nothing else was done.',
    remedy: 'Wait until it finishes, or cancel it during its countdown.',
  },
  POWER_NOT_CANCELLABLE: {
    status: 409,
    title: 'Too late to cancel',
    meaning: 'The action has finished, or the game is already stopping.',
    remedy: 'Wait until it finishes, then start the server again.',
  },
  SAVES_AGENT_AWAY: {
    status: 409,
    title: 'Game Agent not connected',
    meaning: 'Worlds are backed up and restored by a Game Agent, and none is connected for this server.',
    remedy: 'Start the server’s Game Agent, or set one up.',
  },
  SAVES_AGENT_TOO_OLD: {
    status: 409,
    title: 'Game Agent outdated',
    meaning: 'This version of the Game Agent cannot do this with worlds.',
    remedy: 'Install the Game Agent that comes with this version of Castellan.',
  },
  SAVES_FOLDER_UNKNOWN: {
    status: 409,
    title: 'Server folder unknown',
    meaning: 'The Game Agent does not know the folder of the game server.',
    remedy: 'Run `castellan-agent setup` on that machine and enter the folder.',
  },
  SAVES_NOT_ALLOWED: {
    status: 409,
    title: 'Not allowed on the game’s machine',
    meaning: 'The game’s machine does not allow Castellan to replace its files.',
    remedy:
      'Run `castellan-agent setup` on that machine and allow it, or set `"allow": { "files": true }` in the Game Agent’s config.json.',
  },
  SAVES_SCHEDULE_NOT_ALLOWED: {
    status: 409,
    title: 'Not allowed on the game’s machine',
    meaning: 'The game’s machine does not let Castellan schedule backups of its worlds.',
    remedy: 'Run `castellan-agent allow --backups yes` on that machine.',
  },
  SAVES_GAME_RUNNING: {
    status: 409,
    title: 'The game is running',
    meaning: 'Worlds can only be replaced while the game is stopped.',
    remedy: 'Stop the server, then restore the backup.',
  },
  SAVES_UNCONFIRMED: {
    status: 409,
    title: 'A restore is waiting for your decision',
    meaning: 'A backup was restored, and the previous worlds are still kept.',
    remedy: 'Check the game, then keep the restored worlds or undo the restore.',
  },
  SAVES_NAME_MISMATCH: {
    status: 422,
    title: 'The name doesn’t match',
    meaning: 'You entered a different name.',
    remedy: 'Enter the server’s name exactly as shown.',
  },
  SAVES_BUSY: {
    status: 409,
    title: 'Another action is in progress',
    meaning: 'The worlds of this server are already being backed up or restored. Nothing else was done.',
    remedy: 'Wait until it finishes, or cancel it.',
  },
  SAVES_NOT_CANCELLABLE: {
    status: 409,
    title: 'Too late to cancel',
    meaning: 'The action has finished, or the worlds have already been replaced.',
    remedy: 'Wait until it finishes. You can undo a restore afterwards.',
  },
  CONSOLE_HISTORY_AWAY: {
    status: 409,
    title: 'Earlier lines not available',
    meaning: 'Earlier lines are kept by the Game Agent, which is not connected or outdated.',
    remedy: 'Start the server’s Game Agent, or install the one that comes with this version of Castellan.',
  },
  AGENT_PROOF_WRONG: {
    status: 401,
    title: 'Game Agent not verified',
    meaning: 'The Game Agent uses another shared secret or another key than this installation knows.',
    remedy:
      'Set up the Game Agent in the panel, or set `secret` in its config.json to GAME_AGENT_SECRET from the .env file.',
  },
  AGENT_NONCE_INVALID: {
    status: 401,
    title: 'Nonce not valid',
    meaning: 'The nonce is too old, was used before, or was issued before the API restarted.',
    remedy: 'Request a new one at POST /api/game-agent/challenge and prove again.',
  },
  AGENT_SERVER_UNKNOWN: {
    status: 404,
    title: 'Game server not found',
    meaning: 'The Game Agent names a server that does not exist or is archived.',
    remedy: 'Copy the server ID from the panel into the Game Agent’s config.json as `serverId`.',
  },
  AGENT_GAME_MISMATCH: {
    status: 409,
    title: 'Different game',
    meaning: 'The Game Agent runs another game than this server has in the panel.',
    remedy: 'Compare `game` in the Game Agent’s config.json with the server in the panel.',
  },
  AGENT_KEY_MISMATCH: {
    status: 409,
    title: 'Another Game Agent belongs to this server',
    meaning:
      'The server already has a Game Agent with another key. This one is on a new machine, or it is a copy.',
    remedy: 'To use this Game Agent instead, choose “Replace Game Agent” in the panel.',
  },
  AGENT_SUPERSEDED: {
    status: 409,
    title: 'Another Game Agent took over',
    meaning: 'A newer connection with the same key has replaced this one.',
    remedy: 'Stop one of the two: they run with the same configuration.',
  },
  AGENT_TLS_REQUIRED: {
    status: 403,
    title: 'Encrypted connection required',
    meaning: 'The Game Agent connects from another machine without TLS, which the settings do not allow.',
    remedy: 'Set up a certificate, or allow unencrypted Game Agents under Settings, Game Agents.',
  },
  AGENT_THROTTLED: {
    status: 429,
    title: 'Too many failed attempts',
    meaning:
      'Game Agents at this address failed to prove their secret too often. Correct proofs are still accepted.',
    remedy: 'Correct the secret in the Game Agent’s config.json, then wait as long as Retry-After says.',
  },
  AGENT_VERSION_UNSUPPORTED: {
    status: 400,
    title: 'Game Agent version not supported',
    meaning: 'The Game Agent uses a protocol version that this API does not support.',
    remedy: 'Use the Game Agent that comes with this version of Castellan.',
  },
  AGENT_FRAME_INVALID: {
    status: 400,
    title: 'Message not valid',
    meaning: 'A message is not valid JSON, is too large, or does not follow the protocol.',
    remedy: 'Compare it with the protocol.',
  },
  AGENT_UPLOAD_UNWANTED: {
    status: 409,
    title: 'Upload not expected',
    meaning: 'No running task of this Game Agent is waiting for this upload.',
    remedy: 'If you miss a result, start the task again in the panel.',
  },
  AGENT_UPLOAD_OUT_OF_ORDER: {
    status: 409,
    title: 'Upload out of order',
    meaning: 'A part of the upload does not follow the previous one.',
    remedy: 'Start the upload again.',
  },
  AGENT_UPLOADS_FULL: {
    status: 503,
    title: 'Too many uploads',
    meaning: 'Game Agents are uploading more at once than the API accepts.',
    remedy: 'Wait until other tasks finish, then start the task again.',
  },
  AGENT_ENROLMENT_REFUSED: {
    status: 401,
    title: 'Setup rejected',
    meaning: 'The setup command is incomplete, or its code is wrong.',
    remedy: 'Copy the whole command from the panel again, or create a new one.',
  },
  AGENT_ENROLMENT_ENDED: {
    status: 410,
    title: 'Setup command expired',
    meaning: 'The command is older than 15 minutes, was cancelled, or was replaced by a newer one.',
    remedy: 'Create a new command in the panel.',
  },
  AGENT_ENROLMENT_USED: {
    status: 409,
    title: 'Setup command already used',
    meaning: 'Another Game Agent was set up with this command. Each command works once.',
    remedy: 'If that was not you, create a new command in the panel now: it replaces that Game Agent.',
  },
  AGENT_DOWNLOAD_MISSING: {
    status: 503,
    title: 'Game Agent not available',
    meaning: 'This installation does not have the Game Agent for this system, or is still preparing it.',
    remedy: 'Try again in a minute. If it is still missing, reinstall Castellan.',
  },
} as const satisfies Record<string, ProblemEntry>;
