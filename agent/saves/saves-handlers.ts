import type { SavesSchedule, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { diskSpaceOf } from '#runtime/disk-space.ts';
import { StartupError } from '#runtime/program.ts';
import type { TaskHandlers } from '../tasks/task-handlers.ts';
import { type Keeping, type ListedBackup, listBackups, removePartials } from './backup-folder.ts';
import { type BackupOptions, holdBackups, type SavesSettings } from './backup-saves.ts';
import { noteDatedAhead } from './dated-ahead.ts';
import { finishRestore } from './finish-restore.ts';
import { readLastNight, reopenNight } from './nightly.ts';
import { type ScheduleInForce, writePanelSchedule } from './panel-schedule.ts';
import type { WhyNotStopped } from './proven-stopped.ts';
import { type RestoreJournal, readRestore, readUndone } from './restore-journal.ts';
import { confirmRestore, restoreSaves } from './restore-saves.ts';
import { demandAnswer } from './save-places.ts';
import { inWords, SavesError } from './saves-error.ts';
import { undoRestore } from './undo-restore.ts';

/** The API shows this many per backup, and this much of each. */
const mostNotes = 5;
const longestNote = 300;
/** For all notes in one list: a task's result has a limit. */
const mostNoteBytes = 48 * 1024;

/** The notes of a list as far as an answer has room; the newest backups come first. */
const boundedNotes = (backups: readonly ListedBackup[]): ListedBackup[] => {
  let left = mostNoteBytes;
  return backups.map((backup) => {
    const notes: string[] = [];
    for (const note of backup.notes.slice(0, mostNotes)) {
      const cut = note.length > longestNote ? `${note.slice(0, longestNote - 1).toWellFormed()}…` : note;
      left -= Buffer.byteLength(JSON.stringify(cut));
      if (left < 0) break;
      notes.push(cut);
    }
    const more = backup.notes.length - notes.length;
    return more === 0
      ? backup
      : { ...backup, notes: [...notes, `More (${more}) on the game's machine: castellan-agent saves list`] };
  });
};

const mostListed = 200;
const longestDetail = 2000;

const done = (value: TaskResult['value'], detail: string | null = null): TaskResult => ({
  outcome: 'done',
  detail: detail?.slice(0, longestDetail) ?? null,
  value,
});
const refused = (detail: string): TaskResult => ({ outcome: 'refused', detail, value: null });
const failed = (detail: string): TaskResult => ({ outcome: 'failed', detail, value: null });
const nothingChanged = 'Nothing was changed.';
const notAllowed = "The owner of the game's machine does not allow the panel to schedule backups.";

/** The operations on one server's saves that the API may request. */
export const createSavesHandlers = (options: {
  readonly settings: SavesSettings;
  readonly schedule: () => Promise<ScheduleInForce>;
  /** The machine's owner allows the panel to change files. */
  readonly mayChangeFiles: boolean;
  readonly backUp: (options: Pick<BackupOptions, 'signal' | 'onProgress'>) => Promise<ListedBackup>;
  readonly whyNotStopped: WhyNotStopped;
}): TaskHandlers => {
  const { settings, schedule, mayChangeFiles, backUp, whyNotStopped } = options;
  const { backupFolder, stateFolder } = settings;

  const isHalfDone = async (): Promise<boolean> => {
    const journal = await readRestore(stateFolder).catch(() => null);
    return journal?.stage === 'swapping' || journal?.stage === 'undoing';
  };
  const attempt = async (work: () => Promise<TaskResult>): Promise<TaskResult> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SavesError) return ((await isHalfDone()) ? failed : refused)(error.message);
      // An error of a file, a folder or a full disk; anything else is a fault of the program.
      if (error instanceof StartupError || typeof (error as NodeJS.ErrnoException).code === 'string')
        return failed(inWords(error));
      throw error;
    }
  };
  const change = (work: () => Promise<TaskResult>): Promise<TaskResult> =>
    attempt(async () =>
      mayChangeFiles
        ? work()
        : refused("The owner of the game's machine does not allow changes of files from the panel."),
    );
  /** The agent died while worlds were replaced: everything that was certain then is finished. @returns null: it cannot be now */
  const settled = async (): Promise<{ readonly journal: RestoreJournal | null } | null> => {
    if (await isHalfDone()) {
      if ((await whyNotStopped()) !== null) return null;
      await using _held = await holdBackups(backupFolder);
      await finishRestore(stateFolder);
    }
    return { journal: await readRestore(stateFolder) };
  };
  const cutOff = failed(
    'The agent ended while the worlds changed places, and the game runs. Stop it and start the agent again: it finishes this first.',
  );

  const confirm = async (backup: string): Promise<TaskResult> => {
    const journal = await readRestore(stateFolder);
    // Confirmed before, or undone in between: then what the undo has kept stays.
    if (!journal) return done(null);
    if (journal.backup !== backup) return refused('Another backup was restored last.');
    if (journal.stage !== 'swapped') return refused('The restore is not finished. Stop the game first.');
    await confirmRestore(settings);
    return done(null);
  };
  const setSchedule = ({ schedule: wanted }: { readonly schedule: SavesSchedule | null }) =>
    attempt(async () => {
      const fault = settings.mayPanelSchedule ? scheduleFault(settings, wanted) : notAllowed;
      if (fault !== null) return refused(fault);
      const before = await schedule();
      await writePanelSchedule(stateFolder, wanted);
      const after = await schedule();
      if (after.atMinute !== null && after.atMinute !== before.atMinute)
        await reopenNight(settings, after.atMinute, new Date());
      return done(null);
    });
  const undone = (backup: string, folders: readonly string[]): TaskResult =>
    done(
      { backup, unconfirmed: false },
      `What was restored, and what the game wrote since, is kept until the next restore is confirmed or undone: ${folders.join(', ')}`,
    );

  return {
    'backup-saves': {
      run: (_task, { signal, progress }) =>
        attempt(async () => {
          const { notes, ...backup } = await backUp({ signal, onProgress: progress });
          return done({ backup }, notes.join(' ') || null);
        }),
      recover: () =>
        attempt(async () => {
          await using _held = await holdBackups(backupFolder);
          await removePartials(backupFolder);
          return failed('The agent ended during the backup. Start it again.');
        }),
    },
    'list-saves': {
      run: () =>
        attempt(async () => {
          await demandAnswer(backupFolder);
          const all = await listBackups(backupFolder);
          const notes = await noteDatedAhead(stateFolder, all, new Date());
          const backups = all.slice(0, mostListed);
          const journal = await readRestore(stateFolder);
          const isUnconfirmed = journal !== null && journal.stage !== 'unpacking';
          const freeBytes = await diskSpaceOf(backupFolder).then(
            (space) => space.freeBytes,
            () => null,
          );
          const { atMinute, ...kept } = await schedule();
          return done({
            backups: boundedNotes(backups).map((backup) =>
              backup.name in notes ? { ...backup, isDatedAhead: true } : backup,
            ),
            unconfirmed: isUnconfirmed ? journal.backup : null,
            nightly: atMinute === null ? null : { atMinute, last: await readLastNight(stateFolder) },
            schedule: kept,
            freeBytes,
          });
        }),
      recover: async () => refused('The agent was started again. Ask again.'),
    },
    // Once more does no harm, and the API asks again as long as another one applies.
    'schedule-saves': { run: setSchedule, recover: setSchedule },
    'restore-saves': {
      run: ({ backup }, { signal, progress }) =>
        change(async () => {
          await restoreSaves({ settings, backup, whyNotStopped, signal, onProgress: progress });
          return done({ backup, unconfirmed: true });
        }),
      recover: ({ backup }) =>
        attempt(async () => {
          const known = await settled();
          if (!known) return cutOff;
          return known.journal?.backup === backup && known.journal.stage === 'swapped'
            ? done({ backup, unconfirmed: true })
            : failed(`The agent ended before the saves were replaced. ${nothingChanged}`);
        }),
    },
    'undo-restore': {
      run: ({ backup }) =>
        change(async () => undone(backup, await undoRestore({ settings, backup, whyNotStopped }))),
      recover: ({ backup }) =>
        attempt(async () => {
          const known = await settled();
          if (!known) return cutOff;
          const left = await readUndone(stateFolder);
          return known.journal === null && left?.backup === backup
            ? undone(backup, left.folders)
            : failed(`The agent ended before the saves were put back. ${nothingChanged}`);
        }),
    },
    'confirm-restore': {
      run: ({ backup }) => change(() => confirm(backup)),
      recover: ({ backup }) => change(() => confirm(backup)),
    },
  };
};

/** Why this machine does not take a schedule, for people; null: it does. */
const scheduleFault = (least: Keeping, schedule: SavesSchedule | null): string | null =>
  schedule === null || (schedule.keep >= least.keep && schedule.days >= least.days)
    ? null
    : `The game's machine keeps at least ${least.keep} backups and ${least.days} days.`;
