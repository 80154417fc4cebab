import type { Log } from '#runtime/log.ts';
import type { AgentConfig } from '../configuration/config.ts';
import type { TaskHandlers } from '../tasks/task-handlers.ts';
import { isAutosavePaused, type RunCommand, resumeAutosave } from './autosave.ts';
import type { ListedBackup } from './backup-folder.ts';
import { type BackupOptions, backupSaves, holdBackups, type SavesSettings } from './backup-saves.ts';
import { finishRestore, isAllMissing } from './finish-restore.ts';
import { startNightly } from './nightly.ts';
import { whyNotStopped } from './proven-stopped.ts';
import { readRestore } from './restore-journal.ts';
import { inWords } from './saves-error.ts';
import { createSavesHandlers } from './saves-handlers.ts';

/** Null where nothing is known of the server's folder. */
export const savesSettings = (config: AgentConfig): SavesSettings | null =>
  config.server && {
    game: config.game,
    serverId: config.serverId,
    stateFolder: config.stateFolder,
    serverFolder: config.server.folder,
    from: config.saves.from,
    startCommand: config.server.start.by === 'holder' ? config.server.start.command : [],
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
  /** Between two looks for a game that was left without autosave. */
  readonly resumeMs?: number;
}

/** Backups and restores of one server's saves, as the API asks for them and each night. */
export interface ServerSaves extends AsyncDisposable {
  readonly handlers: TaskHandlers;
  backUp(options: Pick<BackupOptions, 'signal' | 'onProgress'>): Promise<ListedBackup>;
}

export const openServerSaves = (options: ServerSavesOptions): ServerSaves => {
  const { config, settings, run, whyRunning, log, resumeMs = 5000 } = options;
  const { backupFolder, stateFolder, game } = settings;
  const stopping = new AbortController();

  // A backup that was cut off, or to whose end the game did not answer, has left it without autosave.
  let resuming: Promise<void> = Promise.resolve();
  let isResuming = false;
  let wasTold = false;
  const resume = async () => {
    const command = run();
    if (!command || !(await isAutosavePaused(stateFolder))) return;
    // The backup that has told it may be under way, here or by the command line.
    await using held = await holdBackups(backupFolder).catch(() => null);
    if (!held) return;
    const isSaving = await resumeAutosave({ game, stateFolder, run: command });
    if (!isSaving && !wasTold)
      log.warn('the game does not save: it did not answer when it was told to go on');
    wasTold = !isSaving;
  };
  const resumer = setInterval(() => {
    if (isResuming) return;
    isResuming = true;
    resuming = resume()
      .catch((error: unknown) => log.warn({ err: error }, 'the game could not be told to save again'))
      .finally(() => {
        isResuming = false;
      });
  }, resumeMs).unref();

  const backUp = async ({ signal, onProgress }: Pick<BackupOptions, 'signal' | 'onProgress'>) => {
    await resuming;
    const all = AbortSignal.any([signal, stopping.signal]);
    return backupSaves({ settings, run: run(), signal: all, onProgress });
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
    backUp,
    handlers: createSavesHandlers({
      settings,
      nightlyAtMinute: atMinute,
      mayChangeFiles: config.server?.allow.files === true,
      backUp,
      whyNotStopped: async () => whyRunning() ?? (await configuredWhyNotStopped(config)),
    }),
    async [Symbol.asyncDispose]() {
      clearInterval(resumer);
      stopping.abort();
      await resuming;
      await nightly?.[Symbol.asyncDispose]();
    },
  };
};

/**
 * Ends a restore or its undoing that was cut off; before anything starts the game.
 * @returns why the game must not be started now, for people; null: it may
 */
export const settleRestore = async (config: AgentConfig): Promise<string | null> => {
  const { stateFolder, saves } = config;
  try {
    const before = await readRestore(stateFolder);
    if (!before || before.stage === 'swapped') return null;
    // What holds them is at work on that very restore.
    await using _held = await holdBackups(saves.folder);
    const journal = await readRestore(stateFolder);
    if (!journal || journal.stage === 'swapped') return null;
    const isSafe = journal.stage === 'unpacking' || (await isAllMissing(journal));
    const why = isSafe ? null : await configuredWhyNotStopped(config);
    if (why === null) await finishRestore(stateFolder);
    return why && `A restore of its saves was cut off. ${why}`;
  } catch (error) {
    return `Its saves are being replaced, or a restore of them was cut off: ${inWords(error)}`;
  }
};
