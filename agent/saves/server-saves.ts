import { lookAtClock } from '#runtime/clock.ts';
import { clockSetByMs } from '#runtime/is-ahead.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentConfig } from '../configuration/config.ts';
import type { TaskHandlers } from '../tasks/task-handlers.ts';
import { isAutosavePaused, type RunCommand, resumeAutosave } from './autosave.ts';
import type { ListedBackup } from './backup-folder.ts';
import { type BackupOptions, backupSaves, holdBackups, type SavesSettings } from './backup-saves.ts';
import { finishRestore, isAllMissing } from './finish-restore.ts';
import { startNightly } from './nightly.ts';
import { scheduleInForce } from './panel-schedule.ts';
import { whyNotStopped } from './proven-stopped.ts';
import { readRestore } from './restore-journal.ts';
import { inWords } from './saves-error.ts';
import { createSavesHandlers } from './saves-handlers.ts';

/** Null when the server's folder is unknown. */
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
    mayPanelSchedule: config.server.allow.backups === true,
  };

/** Null once the game of a configuration is proven to be stopped; else why not. */
export const configuredWhyNotStopped = (config: AgentConfig): Promise<string | null> =>
  whyNotStopped({ folder: config.server?.folder ?? '', console: config.console });

/** Backups and restores of one server's saves, on request by the API and each night. */
interface ServerSaves extends AsyncDisposable {
  readonly handlers: TaskHandlers;
  backUp(options: Pick<BackupOptions, 'signal' | 'onProgress'>): Promise<ListedBackup>;
}

export const openServerSaves = (options: {
  readonly config: AgentConfig;
  readonly settings: SavesSettings;
  /** Null while the game's console is away. */
  readonly run: () => RunCommand | null;
  /** Null: as far as the agent knows, the game is stopped; else why not. */
  readonly whyRunning: () => string | null;
  readonly log: Log;
  /** Between two checks for a game that was left without autosave. */
  readonly resumeMs?: number;
}): ServerSaves => {
  const { config, settings, run, whyRunning, log, resumeMs = 5000 } = options;
  const { backupFolder, stateFolder, game } = settings;
  const stopping = new AbortController();
  const began = lookAtClock();
  const wasClockSet = () => clockSetByMs(began, lookAtClock()) !== 0;

  // Left without autosave by an interrupted backup, or one to whose end the game did not answer.
  let resuming: Promise<void> = Promise.resolve();
  let isResuming = false;
  let wasTold = false;
  const resume = async () => {
    const command = run();
    if (!command || !(await isAutosavePaused(stateFolder))) return;
    // The backup that turned it off may be running, here or on the command line.
    await using held = await holdBackups(backupFolder).catch(() => null);
    if (!held) return;
    const isSaving = await resumeAutosave({ game, stateFolder, run: command });
    if (!isSaving && !wasTold)
      log.warn('the game is not saving: it did not reply to the command that resumes saving');
    wasTold = !isSaving;
  };
  const resumer = setInterval(() => {
    if (isResuming) return;
    isResuming = true;
    resuming = resume()
      .catch((error: unknown) => log.warn({ err: error }, 'could not tell the game to resume saving'))
      .finally(() => {
        isResuming = false;
      });
  }, resumeMs).unref();

  const backUp = async ({ signal, onProgress }: Pick<BackupOptions, 'signal' | 'onProgress'>) => {
    await resuming;
    const all = AbortSignal.any([signal, stopping.signal]);
    return backupSaves({ settings, run: run(), signal: all, onProgress, wasClockSet });
  };

  const { nightlyAtMinute } = config.saves;
  const schedule = () => scheduleInForce(settings, nightlyAtMinute);
  const nightly = startNightly({
    stateFolder,
    serverId: config.serverId,
    atMinute: async () => (await schedule()).atMinute,
    log,
    async backUp() {
      const { name, bytes, notes } = await backUp({ signal: stopping.signal, onProgress: () => undefined });
      log.info({ backup: name, bytes, notes }, 'backed up the saves');
    },
  });
  return {
    backUp,
    handlers: createSavesHandlers({
      settings,
      schedule,
      mayChangeFiles: config.server?.allow.files === true,
      backUp,
      whyNotStopped: async () => whyRunning() ?? (await configuredWhyNotStopped(config)),
    }),
    async [Symbol.asyncDispose]() {
      clearInterval(resumer);
      stopping.abort();
      await resuming;
      await nightly[Symbol.asyncDispose]();
    },
  };
};

/**
 * Finishes an interrupted restore or its undoing; runs before anything starts the game.
 * @returns why the game must not be started now, for people; null: it may
 */
export const settleRestore = async (config: AgentConfig): Promise<string | null> => {
  const { stateFolder, saves } = config;
  try {
    const before = await readRestore(stateFolder);
    if (!before || before.stage === 'swapped') return null;
    // The process that holds them is running that very restore.
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
