import type { TaskResult } from '#contracts/agent-tasks.ts';
import { isDiskFull } from '#runtime/disk-space.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentConfig } from '../configuration/config.ts';
import type { TaskHandlers, TaskRun } from '../tasks/task-handlers.ts';
import { type RunCommand, resumeAutosave } from './autosave.ts';
import { listBackups, removePartials } from './backup-folder.ts';
import { backupSaves, holdBackups, type SavesSettings } from './backup-saves.ts';
import { startNightly } from './nightly.ts';
import { whyNotStopped } from './proven-stopped.ts';
import { confirmRestore, finishRestore, readRestore, restoreSaves } from './restore-saves.ts';
import { demandAnswer } from './save-places.ts';
import { inWords, SavesError } from './saves-error.ts';

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
const mostListed = 200;

const done = (value: TaskResult['value']): TaskResult => ({ outcome: 'done', detail: null, value });
const refused = (detail: string): TaskResult => ({ outcome: 'refused', detail, value: null });

export const openServerSaves = (options: ServerSavesOptions): ServerSaves => {
  const { config, settings, run, whyRunning, log } = options;
  const { backupFolder, stateFolder, game } = settings;
  const stopping = new AbortController();

  // A backup that was cut off has left the game without autosave: as soon as the console is there.
  let isResumed = false;
  const resuming = setInterval(() => {
    const command = run();
    if (isResumed || !command) return;
    isResumed = true;
    void resumeAutosave({ game, stateFolder, run: command }).then((isDone) => {
      isResumed = isDone;
      if (isDone) clearInterval(resuming);
    });
  }, resumeMs).unref();

  const backUp = async ({ signal, progress }: Pick<TaskRun, 'signal' | 'progress'>) =>
    backupSaves({
      settings,
      run: run(),
      signal: AbortSignal.any([signal, stopping.signal]),
      onProgress: progress,
    });
  const notStopped = async () => whyRunning() ?? (await configuredWhyNotStopped(config));
  const attempt = async (work: () => Promise<TaskResult>): Promise<TaskResult> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SavesError) return refused(error.message);
      if (isDiskFull(error)) return { outcome: 'failed', detail: inWords(error), value: null };
      throw error;
    }
  };
  const restored = async (backup: string): Promise<TaskResult> => {
    const journal = await readRestore(stateFolder);
    return journal?.backup === backup && journal.stage === 'swapped'
      ? done({ backup, unconfirmed: true })
      : {
          outcome: 'failed',
          detail: 'The agent ended before the saves were replaced. Nothing was changed.',
          value: null,
        };
  };

  const handlers: TaskHandlers = {
    'backup-saves': {
      run: (_task, taskRun) =>
        attempt(async () => {
          const { notes, ...backup } = await backUp(taskRun);
          return { outcome: 'done', detail: notes.join(' ').slice(0, 2000) || null, value: { backup } };
        }),
      recover: () =>
        attempt(async () => {
          await using _held = await holdBackups(backupFolder);
          await removePartials(backupFolder);
          return {
            outcome: 'failed',
            detail: 'The agent ended during the backup. Start it again.',
            value: null,
          };
        }),
    },
    'list-saves': {
      run: () =>
        attempt(async () => {
          await demandAnswer(backupFolder);
          const backups = (await listBackups(backupFolder)).slice(0, mostListed);
          const journal = await readRestore(stateFolder);
          const unconfirmed = journal?.stage === 'swapped' ? journal.backup : null;
          return done({
            backups: backups.map(({ notes, ...one }) => ({ ...one, notes: notes.length })),
            unconfirmed,
          });
        }),
      recover: async () => refused('The agent was started again. Ask again.'),
    },
    'restore-saves': {
      run: ({ backup }, { signal, progress }) =>
        attempt(async () => {
          if (!config.server?.allow.files)
            return refused("The owner of the game's machine does not allow changes of files from the panel.");
          await restoreSaves({ settings, backup, whyNotStopped: notStopped, signal, onProgress: progress });
          return done({ backup, unconfirmed: true });
        }),
      recover: ({ backup }) => attempt(() => restored(backup)),
    },
    'confirm-restore': {
      run: ({ backup }) => attempt(() => confirm(backup)),
      recover: ({ backup }) => attempt(() => confirm(backup)),
    },
  };
  const confirm = async (backup: string): Promise<TaskResult> => {
    if (!config.server?.allow.files)
      return refused("The owner of the game's machine does not allow changes of files from the panel.");
    const journal = await readRestore(stateFolder);
    if (journal && journal.backup !== backup) return refused('Another backup was restored last.');
    await confirmRestore(settings);
    return done(null);
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
              progress: () => undefined,
            });
            log.info({ backup: name, bytes, notes }, 'the saves are backed up');
          },
        });
  return {
    handlers,
    async [Symbol.asyncDispose]() {
      clearInterval(resuming);
      stopping.abort();
      await nightly?.[Symbol.asyncDispose]();
    },
  };
};

/** Ends a restore that was cut off; before anything starts the game. */
export const settleRestore = async (config: AgentConfig, log: Log): Promise<void> => {
  try {
    const journal = await readRestore(config.stateFolder);
    if (!journal || journal.stage === 'swapped') return;
    const why = journal.stage === 'swapping' ? await configuredWhyNotStopped(config) : null;
    if (why === null) await finishRestore(config.stateFolder);
    else
      log.error(
        `A restore of the saves was cut off and cannot be finished: ${why} Then start the agent again.`,
      );
  } catch (error) {
    log.error({ err: error }, 'a restore of the saves that was cut off cannot be finished');
  }
};
