import type { ProblemEntry } from './problem-entry.ts';

/** Of the mods of game servers. */
export const modProblems = {
  MODS_AGENT_AWAY: {
    status: 409,
    title: 'No Game Agent',
    meaning: 'Only a Game Agent beside the game can change its mods, and none is connected for this server.',
    remedy: 'Set up an agent for the server, or start the one that is there.',
  },
  MODS_AGENT_TOO_OLD: {
    status: 409,
    title: 'Game Agent too old',
    meaning: 'The Game Agent of this server cannot change mods yet.',
    remedy: 'Install the agent that this version of Castellan offers.',
  },
  MODS_NOT_ALLOWED: {
    status: 409,
    title: 'Not allowed on the game’s machine',
    meaning: 'The machine that the game runs on does not let Castellan change its mods.',
    remedy: 'Run `castellan-agent setup` on that machine and allow changes of mods.',
  },
  MODS_NO_FOLDER: {
    status: 409,
    title: 'Server folder not known',
    meaning: 'The Game Agent does not know in which folder the game server is.',
    remedy: 'Run `castellan-agent setup` on that machine.',
  },
  MODS_NO_LOADER: {
    status: 409,
    title: 'No mod loader',
    meaning: 'This Minecraft server runs without a loader: it takes neither mods nor plugins.',
    remedy: 'Install Fabric, Quilt, Forge, NeoForge or Paper on the server first.',
  },
  MODS_NO_MARK: {
    status: 409,
    title: 'No place for mods in the start command',
    meaning: 'The game takes its mods from its start command, and the command has no place for them.',
    remedy:
      'Put `{mods}` where the list belongs into the start command in the config.json of the agent, such as `-mods={mods}`.',
  },
  MODS_FOLDER_READ_ONLY: {
    status: 409,
    title: 'Server folder cannot be written',
    meaning: 'Mods cannot be written in the folder of the game server.',
    remedy: 'Give the account that the detail names the right to write in that folder.',
  },
  MODS_GAME_RUNNING: {
    status: 409,
    title: 'The game is running',
    meaning: 'The game is running, and Castellan may not stop and start it.',
    remedy: 'Stop the game, then try again; or allow Castellan to start and stop it.',
  },
  MODS_BUSY: {
    status: 409,
    title: 'Another change of mods is under way',
    meaning: 'The mods of this server are being changed already.',
    remedy: 'Wait until that has ended, or cancel it. Nothing was changed by this request.',
  },
  MODS_NOT_CANCELLABLE: {
    status: 409,
    title: 'Too late to cancel',
    meaning: 'The change has ended, or the old files are being replaced already.',
    remedy: 'Wait until it has ended, then undo it.',
  },
  MOD_PLAN_OUTDATED: {
    status: 409,
    title: 'The plan is outdated',
    meaning: 'The mods of the server have changed since the plan was made, or it is older than 30 minutes.',
    remedy: 'Make the plan again and look at it.',
  },
  MOD_PLAN_BLOCKED: {
    status: 409,
    title: 'The plan cannot be carried out',
    meaning:
      'Something stands in the way of the plan, such as a conflict or a file that has to be fetched by hand.',
    remedy: 'The plan names each obstacle and what removes it.',
  },
  MOD_JOB_NOT_UNDOABLE: {
    status: 409,
    title: 'Cannot be undone',
    meaning: 'The change did not happen, or the mods were changed again since.',
    remedy: 'Undo the newer change first, or choose the versions by hand.',
  },
  MOD_UPLOAD_INCOMPLETE: {
    status: 409,
    title: 'The upload is not complete',
    meaning: 'Parts of the uploaded file are missing.',
    remedy: 'Upload the file again.',
  },
  MOD_UPLOAD_OUT_OF_ORDER: {
    status: 409,
    title: 'Part of an upload out of order',
    meaning: 'The parts of an upload come one after another, and this one does not follow the last.',
    remedy: 'Continue after what has arrived, or upload the file again.',
  },
  MOD_UPLOADS_FULL: {
    status: 503,
    title: 'No room for uploads',
    meaning: 'The uploaded mods fill the space that is kept for them.',
    remedy: 'Wait until those under way have reached their servers, or give the disk more room.',
  },
  MOD_SOURCE_AWAY: {
    status: 503,
    title: 'The source does not answer',
    meaning: 'The mod source cannot be reached, or its answer is not understood.',
    remedy: 'Try again later; what is installed keeps working.',
  },
  MOD_SOURCE_LIMITED: {
    status: 503,
    title: 'Too many requests to the source',
    meaning: 'The mod source takes no more requests for a while.',
    remedy: 'Try again in a few minutes; what is installed keeps working.',
  },
  MOD_SOURCE_NO_KEY: {
    status: 409,
    title: 'No key for this source',
    meaning: 'CurseForge needs a key of your own, and there is none yet.',
    remedy: 'Get a key at console.curseforge.com and put it into Settings, External services.',
  },
  MOD_SOURCE_KEY_REFUSED: {
    status: 409,
    title: 'The key was refused',
    meaning: 'CurseForge does not accept your key.',
    remedy: 'Compare the key in Settings, External services, with console.curseforge.com.',
  },
} as const satisfies Record<string, ProblemEntry>;
