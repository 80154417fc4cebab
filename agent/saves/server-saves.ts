import type { Log } from '#runtime/log.ts';
import type { AgentConfig } from '../configuration/config.ts';
import type { TaskHandlers } from '../tasks/task-handlers.ts';
import { type RunCommand, resumeAutosave } from './autosave.ts';
import { type BackupOptions, backupSaves, type SavesSettings } from './backup-saves.ts';
import { finishRestore } from './finish-restore.ts';
import { startNightly } from './nightly.ts';
import { whyNotStopped } from './proven-stopped.ts';
import { readRestore } from './restore-journal.ts';
import { createSavesHandlers } from './saves-handlers.ts';

/** Null where nothing is known of the server's folder. */
export const savesSettings = (config: AgentConfig): SavesSettings | null =>
  config.server && {
    game: config.game,
    serverId: config.serverId,
    stateFolder: config.stateFolder,
    serverFolder: config.server.folder,
    from: config.saves.from,
    backupFolder: config.saves.folder,
    keep: config.saves.keep,
    days: config.saves.days,
  };

/** Null once the game of a configuration is proven to be stopped; else why not. */
export const configuredWhyNotStopped = (config: AgentConfig): Promise<string | null> =>
  whyNotStopped({ folder: config.server?.folder ?? '', console: config.console });

export interface ServerSavesOptions {
  readonly config: AgentConfig;
  readonly settings: SavesSettings;
  /** Null while the game's console is away. */
  readonly run: () => RunCommand | null;
  /** Null: as far as the agent knows, the game is stopped; else why not. */
  readonly whyRunning: () => string | null;
  readonly log: Log;
}

/** Backups and restores of one server's saves, as the API asks for them and each night. */
export interface ServerSaves extends AsyncDisposable {
  readonly handlers: TaskHandlers;
}

const resumeMs = 5000;

export const openServerSaves = (options: ServerSavesOptions): ServerSaves => {
  const { config, settings, run, whyRunning, log } = options;
  const { stateFolder, game } = settings;
  const stopping = new AbortController();

  /** Of this process: each lets the game save again by itself. */
  let underWay = 0;
  // A backup that was cut off has left the game without autosave: as soon as the console is there.
  let isResumed = false;
  const resuming = setInterval(() => {
    const command = run();
    if (isResumed || !command || underWay > 0) return;
    isResumed = true;
    void resumeAutosave({ game, stateFolder, run: command }).then((isDone) => {
      isResumed = isDone;
      if (isDone) clearInterval(resuming);
    });
  }, resumeMs).unref();

  const backUp = async ({ signal, onProgress }: Pick<BackupOptions, 'signal' | 'onProgress'>) => {
    underWay += 1;
    try {
      const all = AbortSignal.any([signal, stopping.signal]);
      return await backupSaves({ settings, run: run(), signal: all, onProgress });
    } finally {
      underWay -= 1;
    }
  };

  const { nightlyAtMinute: atMinute } = config.saves;
  const nightly =
    atMinute === null
      ? null
      : startNightly({
          stateFolder,
          serverId: config.serverId,
          atMinute,
          log,
          async backUp() {
            const { name, bytes, notes } = await backUp({
              signal: stopping.signal,
              onProgress: () => undefined,
            });
            log.info({ backup: name, bytes, notes }, 'the saves are backed up');
          },
        });
  return {
    handlers: createSavesHandlers({
      settings,
      nightlyAtMinute: atMinute,
      mayChangeFiles: config.server?.allow.files === true,
      backUp,
      whyNotStopped: async () => whyRunning() ?? (await configuredWhyNotStopped(config)),
    }),
    async [Symbol.asyncDispose]() {
      clearInterval(resuming);
      stopping.abort();
      await nightly?.[Symbol.asyncDispose]();
    },
  };
};

/** Ends a restore or its undoing that was cut off; before anything starts the game. */
export const settleRestore = async (config: AgentConfig, log: Log): Promise<void> => {
  try {
    const stage = (await readRestore(config.stateFolder))?.stage ?? 'swapped';
    if (stage === 'swapped') return;
    const why = stage === 'unpacking' ? null : await configuredWhyNotStopped(config);
    if (why === null) await finishRestore(config.stateFolder);
    else
      log.error(
        `A restore of the saves was cut off and cannot be finished: ${why} Then start the agent again.`,
      );
  } catch (error) {
    log.error({ err: error }, 'a restore of the saves that was cut off cannot be finished');
  }
};
