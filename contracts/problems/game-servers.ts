import type { ProblemEntry } from './problem-entry.ts';

/** Of game servers and their Game Agents. */
export const gameServerProblems = {
  SERVER_ARCHIVED: {
    status: 409,
    title: 'Archived',
    meaning: 'The server, or its cluster, is in the archive: it can be read, not used or changed.',
    remedy: 'Restore it from the archive first.',
  },
  CLUSTER_NOT_EMPTY: {
    status: 409,
    title: 'Cluster not empty',
    meaning: 'The cluster still holds servers that are in use.',
    remedy: 'Archive them or move them to another cluster first.',
  },
  NO_SUCH_COMMAND: {
    status: 409,
    title: 'The game cannot do this',
    meaning: 'The game of this server has no such command, or not for this player or these values.',
    remedy: 'The detail says what is missing, such as a Steam id.',
  },
  POWER_AGENT_AWAY: {
    status: 409,
    title: 'No Game Agent',
    meaning:
      'Only a Game Agent beside the game can start and stop it, and none is connected for this server.',
    remedy: 'Set up an agent for the server, or start the one that is there.',
  },
  POWER_AGENT_TOO_OLD: {
    status: 409,
    title: 'Game Agent too old',
    meaning: 'The Game Agent of this server cannot start and stop the game yet.',
    remedy: 'Install the agent that this version of Castellan offers.',
  },
  POWER_NOT_ALLOWED: {
    status: 409,
    title: 'Not allowed on the game’s machine',
    meaning: 'The machine that the game runs on does not let Castellan start and stop it.',
    remedy:
      'Run `castellan-agent setup` on that machine and allow it, or set `"allow": { "power": true }` in the config.json of the agent.',
  },
  POWER_UNMANAGED: {
    status: 409,
    title: 'Not known how the game starts',
    meaning: 'Nothing on the game’s machine says which command, service or unit starts the game.',
    remedy: 'Run `castellan-agent setup` on that machine and say how the game starts.',
  },
  POWER_BUSY: {
    status: 409,
    title: 'Another act is under way',
    meaning: 'The server is being started, stopped or restarted already.',
    remedy: 'Wait until that has ended, or cancel it while its countdown runs; nothing was done.',
  },
  POWER_NOT_CANCELLABLE: {
    status: 409,
    title: 'Too late to cancel',
    meaning: 'The act has ended, or the game was told to stop already.',
    remedy: 'Wait for its end; then start the server if it is to run.',
  },
  SAVES_AGENT_AWAY: {
    status: 409,
    title: 'No Game Agent',
    meaning:
      'Only a Game Agent beside the game can back up and restore its saves, and none is connected for this server.',
    remedy: 'Set up an agent for the server, or start the one that is there.',
  },
  SAVES_AGENT_TOO_OLD: {
    status: 409,
    title: 'Game Agent too old',
    meaning: 'The Game Agent of this server cannot do that with saves yet.',
    remedy: 'Install the agent that this version of Castellan offers.',
  },
  SAVES_FOLDER_UNKNOWN: {
    status: 409,
    title: 'Folder of the game not known',
    meaning: 'Nothing on the game’s machine says in which folder the game server lies.',
    remedy: 'Run `castellan-agent setup` on that machine and name the folder.',
  },
  SAVES_NOT_ALLOWED: {
    status: 409,
    title: 'Not allowed on the game’s machine',
    meaning: 'The machine that the game runs on does not let Castellan replace its files.',
    remedy:
      'Run `castellan-agent setup` on that machine and allow it, or set `"allow": { "files": true }` in the config.json of the agent.',
  },
  SAVES_GAME_RUNNING: {
    status: 409,
    title: 'The game is running',
    meaning: 'Saves can only be replaced while the game is stopped.',
    remedy: 'Stop the server, then restore the backup.',
  },
  SAVES_UNCONFIRMED: {
    status: 409,
    title: 'A restore waits for your decision',
    meaning: 'A backup was restored, and the previous worlds are still kept beside it.',
    remedy: 'Look at the game, then keep the restored worlds or undo the restore.',
  },
  SAVES_NAME_MISMATCH: {
    status: 422,
    title: 'The name differs',
    meaning: 'The typed name is not that of the server.',
    remedy: 'Type the name of the server as it is shown.',
  },
  SAVES_BUSY: {
    status: 409,
    title: 'Another act is under way',
    meaning: 'The saves of this server are being backed up or restored already.',
    remedy: 'Wait until that has ended, or cancel it; nothing was done.',
  },
  SAVES_NOT_CANCELLABLE: {
    status: 409,
    title: 'Too late to cancel',
    meaning: 'The act has ended, or the worlds have changed places already.',
    remedy: 'Wait for its end; a restore can then be undone.',
  },
  CONSOLE_HISTORY_AWAY: {
    status: 409,
    title: 'Earlier lines out of reach',
    meaning:
      'A Game Agent beside the game keeps its earlier lines, and none that can do so answers for this server.',
    remedy: 'Start the agent of the server, or install the one that this version of Castellan offers.',
  },
  AGENT_PROOF_WRONG: {
    status: 401,
    title: 'Game Agent not proven',
    meaning: 'The proof was not made with the shared secret of this installation, or not by the key shown.',
    remedy:
      'Enrol the agent in the panel, or put the GAME_AGENT_SECRET of the .env file into its config.json as `secret` where the server has no enrolled agent.',
  },
  AGENT_NONCE_INVALID: {
    status: 401,
    title: 'Nonce not valid',
    meaning: 'The nonce is too old, was used before, or was issued before the API restarted.',
    remedy: 'Ask for a new one at POST /api/game-agent/challenge and prove again.',
  },
  AGENT_SERVER_UNKNOWN: {
    status: 404,
    title: 'No such game server',
    meaning: 'The agent names a server that does not exist or is in the archive.',
    remedy: 'Copy the server id from the panel into the config.json of the agent as `serverId`.',
  },
  AGENT_GAME_MISMATCH: {
    status: 409,
    title: 'Another game',
    meaning: 'The agent runs beside another game than the one that the panel has for this server.',
    remedy: 'Compare `game` in the config.json of the agent with the server in the panel.',
  },
  AGENT_KEY_MISMATCH: {
    status: 409,
    title: 'Another agent is known for this server',
    meaning: 'The server has an agent with another key already: a new machine, or a copy that poses as it.',
    remedy: 'If this agent is to take its place, choose "replace agent" in the panel.',
  },
  AGENT_SUPERSEDED: {
    status: 409,
    title: 'Another agent took over',
    meaning: 'A newer connection with the same key has taken the place of this one.',
    remedy: 'Stop one of the two: the same configuration runs twice.',
  },
  AGENT_TLS_REQUIRED: {
    status: 403,
    title: 'TLS required for this agent',
    meaning: 'The agent comes from another machine without TLS, which the settings do not allow.',
    remedy: 'Give the API a certificate, or allow plain agents under Settings, Game Agents.',
  },
  AGENT_THROTTLED: {
    status: 429,
    title: 'Too many wrong proofs',
    meaning: 'This address has shown wrong proofs too often. Right ones are still taken.',
    remedy: 'Mend the secret in the config.json of the agent, and wait as long as Retry-After says.',
  },
  AGENT_VERSION_UNSUPPORTED: {
    status: 400,
    title: 'Protocol version not known',
    meaning: 'The agent speaks a version of the protocol that this API does not.',
    remedy: 'Use the agent that came with this version of Castellan.',
  },
  AGENT_FRAME_INVALID: {
    status: 400,
    title: 'Frame not understood',
    meaning: 'A frame is no JSON, too large, or not of a documented shape.',
    remedy: 'Compare it with the protocol; the detail names the field.',
  },
  AGENT_UPLOAD_UNWANTED: {
    status: 409,
    title: 'Upload not wanted',
    meaning: 'No running task of this agent waits for what it uploads.',
    remedy: 'Nothing needs to be done: start the task again in the panel if you miss its result.',
  },
  AGENT_UPLOAD_OUT_OF_ORDER: {
    status: 409,
    title: 'Part of an upload out of order',
    meaning: 'The parts of an upload come one after another, and this one does not follow the last.',
    remedy: 'Begin the upload again with its first part.',
  },
  AGENT_UPLOADS_FULL: {
    status: 503,
    title: 'Too much is being uploaded',
    meaning: 'Game Agents are uploading more at the same time than the API keeps.',
    remedy: 'Wait until other tasks are done, and start the task again.',
  },
  AGENT_ENROLMENT_REFUSED: {
    status: 401,
    title: 'Enrolment refused',
    meaning:
      'There is no such enrolment, or the request was not made with its code, or not by the key shown.',
    remedy: 'Copy the whole line from the panel again, or get a new code there.',
  },
  AGENT_ENROLMENT_ENDED: {
    status: 410,
    title: 'The code is over',
    meaning: 'The code is older than 15 minutes, was cancelled, or a newer one was made.',
    remedy: 'Get a new code in the panel, and paste its line.',
  },
  AGENT_ENROLMENT_USED: {
    status: 409,
    title: 'The code was used',
    meaning: 'Another agent was enrolled by this code already. A code enrols one agent.',
    remedy: 'If that was not you, get a new code in the panel at once: it replaces that agent.',
  },
  AGENT_DOWNLOAD_MISSING: {
    status: 503,
    title: 'The program of the agent is not there',
    meaning: 'This installation of Castellan has no such file to hand out, or is still making it.',
    remedy: 'Try again in a minute. If it stays away, install Castellan again.',
  },
} as const satisfies Record<string, ProblemEntry>;
