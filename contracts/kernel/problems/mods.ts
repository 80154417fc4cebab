import type { ProblemEntry } from './problem-entry.ts';

/** Problems with the mods of game servers. */
export const modProblems = {
  MODS_AGENT_AWAY: {
    status: 409,
    title: 'Game Agent not connected',
    meaning: 'Mods are changed by a Game Agent, and none is connected for this server.',
    remedy: 'Start the server’s Game Agent, or set one up.',
  },
  MODS_AGENT_TOO_OLD: {
    status: 409,
    title: 'Game Agent outdated',
    meaning: 'This version of the Game Agent cannot change mods.',
    remedy: 'Install the Game Agent that comes with this version of Castellan.',
  },
  MODS_NOT_ALLOWED: {
    status: 409,
    title: 'Not allowed on the game’s machine',
    meaning: 'The game’s machine does not allow Castellan to change mods.',
    remedy: 'Run `castellan-agent setup` on that machine and allow mod changes.',
  },
  MODS_NO_FOLDER: {
    status: 409,
    title: 'Server folder unknown',
    meaning: 'The Game Agent does not know the folder of the game server.',
    remedy: 'Run `castellan-agent setup` on that machine and enter the folder.',
  },
  MODS_NO_LOADER: {
    status: 409,
    title: 'No mod loader',
    meaning: 'This Minecraft server has no mod loader, so it supports neither mods nor plugins.',
    remedy: 'Install Fabric, Quilt, Forge, NeoForge or Paper on the server first.',
  },
  MODS_NO_MARK: {
    status: 409,
    title: 'Start command without mods',
    meaning: 'The game takes its mods from the start command, which has no place for them.',
    remedy: 'Add `{mods}` to the start command in the Game Agent’s config.json, such as `-mods={mods}`.',
  },
  MODS_FOLDER_READ_ONLY: {
    status: 409,
    title: 'Server folder is read-only',
    meaning: 'Castellan cannot write mods to the folder of the game server.',
    remedy: 'Give the Game Agent’s account write permission for that folder.',
  },
  MODS_GAME_RUNNING: {
    status: 409,
    title: 'The game is running',
    meaning: 'The game is running, and Castellan is not allowed to stop and start it.',
    remedy: 'Stop the game, then try again. Or allow Castellan to start and stop it.',
  },
  MODS_BUSY: {
    status: 409,
    title: 'Another mod change is in progress',
    meaning: 'The mods of this server are already being changed. Nothing else was changed.',
    remedy: 'Wait until it finishes, or cancel it.',
  },
  MODS_NOT_CANCELLABLE: {
    status: 409,
    title: 'Too late to cancel',
    meaning: 'The change has finished, or the files are already being replaced.',
    remedy: 'Wait until it finishes, then undo it.',
  },
  MOD_PLAN_OUTDATED: {
    status: 409,
    title: 'Preview out of date',
    meaning: 'The mods of the server changed since the preview, or it is older than 30 minutes.',
    remedy: 'Check the new preview, then try again.',
  },
  MOD_PLAN_BLOCKED: {
    status: 409,
    title: 'Changes not possible',
    meaning: 'Something blocks the changes, such as a conflict or a file to download manually.',
    remedy: 'Fix the problems listed in the preview.',
  },
  MOD_JOB_NOT_UNDOABLE: {
    status: 409,
    title: 'Undo not possible',
    meaning: 'The change did not happen, or the mods were changed again since then.',
    remedy: 'Undo the newer change first, or choose the versions manually.',
  },
  MOD_UPLOAD_INCOMPLETE: {
    status: 409,
    title: 'Upload incomplete',
    meaning: 'Parts of the uploaded file are missing.',
    remedy: 'Upload the file again.',
  },
  MOD_UPLOAD_OUT_OF_ORDER: {
    status: 409,
    title: 'Upload out of order',
    meaning: 'A part of the upload does not follow the previous one.',
    remedy: 'Continue after the last received part, or upload the file again.',
  },
  MOD_UPLOAD_BUSY: {
    status: 503,
    title: 'Upload in use',
    meaning: 'Another process of the API is writing a part of this upload.',
    remedy: 'Send the part again after a few seconds.',
  },
  MOD_UPLOAD_IN_USE: {
    status: 409,
    title: 'Upload needed',
    meaning: 'A change of mods needs the uploaded file.',
    remedy: 'Wait until the change has ended, or cancel it first.',
  },
  MOD_UPLOADS_FULL: {
    status: 503,
    title: 'No space for uploads',
    meaning: 'Uploaded mods have filled the space that all of them together may take, or the disk.',
    remedy:
      'Wait until the current uploads reach their servers, cancel those that no one needs, or free up disk space.',
  },
  MOD_UPLOAD_LIMIT: {
    status: 409,
    title: 'Too many uploads',
    meaning: 'One person’s uploads of mods, or those for one game server, take as much as they may.',
    remedy: 'Finish or cancel one of them first.',
  },
  MOD_SOURCE_AWAY: {
    status: 503,
    title: 'Mod source not responding',
    meaning: 'The mod source could not be reached, or its response could not be read.',
    remedy: 'Try again later. Installed mods keep working.',
  },
  MOD_SOURCE_LIMITED: {
    status: 503,
    title: 'Request limit reached',
    meaning: 'The mod source accepts no more requests for a while.',
    remedy: 'Try again in a few minutes. Installed mods keep working.',
  },
  MOD_SOURCE_NO_KEY: {
    status: 409,
    title: 'API key missing',
    meaning: 'CurseForge needs your own API key.',
    remedy: 'Create a key at console.curseforge.com and enter it under Settings, External services.',
  },
  MOD_SOURCE_KEY_REFUSED: {
    status: 409,
    title: 'API key rejected',
    meaning: 'CurseForge does not accept your API key.',
    remedy: 'Compare the key under Settings, External services, with the one at console.curseforge.com.',
  },
} as const satisfies Record<string, ProblemEntry>;
