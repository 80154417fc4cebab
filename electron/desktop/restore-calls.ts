import { join } from 'node:path';
import type { RestoreNews, RestoreProgress, RestoreState } from '#contracts/desktop/desktop-restore.ts';
import { answers, silentFolder } from '#runtime/answering-folder.ts';
import { type KeptBackup, listBackups } from '#runtime/backup/backup-manifest.ts';
import { goBackTo, listKeptStates, removeKeptState } from '#runtime/backup/before-restore.ts';
import { readBackupChecks } from '#runtime/backup/check-backups.ts';
import { isDatedAhead, readDatedAhead } from '#runtime/backup/dated-ahead.ts';
import { restoreHome } from '#runtime/backup/restore-home.ts';
import type { Guardian } from '#runtime/guardian/guardian.ts';
import { recordFileName } from '#runtime/license/record/record-store.ts';
import type { Log } from '#runtime/log.ts';
import { backupsFolder } from '#runtime/postgres/backup.ts';
import { StartupError } from '#runtime/program.ts';
import { folderBytes } from '../data-folder/folder-bytes.ts';
import type { Stack } from '../stack/stack.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

type Handlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `restore.${string}`>>;

/** Restores of Castellan's own backups in the running desktop. Disposing cancels one, while that is possible. */
export interface DesktopRestore extends AsyncDisposable {
  readonly calls: Handlers;
  /** Whether something is being restored or deleted. */
  isBusy(): boolean;
}

const tellEveryMs = 200;
/** The first two of three steps that count are as long as the backup. */
const counted: ReadonlySet<RestoreProgress['step']> = new Set(['check', 'copy']);

export const openDesktopRestore = (options: {
  readonly home: string;
  readonly stack: Pick<Stack, 'stop' | 'status'>;
  readonly log: Log;
  /** Ends the database that the copy of a backup is tried with, if this program is killed. */
  readonly startGuardian: () => Pick<Guardian, 'watch' | 'forget'> & Disposable;
  /** Whether Windows Services run this data folder, or are about to. */
  readonly isService: () => Promise<boolean>;
  /** What else keeps the data folder busy, in words; null: nothing. */
  readonly hindrance: () => string | null;
  /** Tells the page how far it is. */
  readonly tell: (progress: RestoreProgress | null) => void;
  /** What the desktop of this data folder was opened with. */
  readonly news: RestoreNews | null;
  /** Opens the desktop again: the settings in `.env` are those of the backup then. */
  readonly reopen: (news: RestoreNews) => void;
}): DesktopRestore => {
  const { home, stack, log } = options;
  const folder = backupsFolder(home);
  const cancel = new AbortController();
  let progress: RestoreProgress | null = null;
  let running: Promise<void> | null = null;
  let isDeleting = false;
  let toldAtMs = 0;

  const tell = (next: RestoreProgress) => {
    const isNews = next.step !== progress?.step;
    progress = next;
    if (!isNews && performance.now() - toldAtMs < tellEveryMs) return;
    toldAtMs = performance.now();
    options.tell(next);
  };

  const demandFree = async () => {
    if (await options.isService())
      throw new StartupError(
        'Castellan runs as Windows Services. Remove them first (castellan services uninstall), restore, and install them again.',
      );
    const hindrance = options.hindrance();
    if (hindrance !== null) throw new StartupError(hindrance);
    if (running !== null) throw new StartupError('A backup is already being restored.');
    if (isDeleting) throw new StartupError('A kept state is being deleted. Wait until that is done.');
  };

  const read = async (): Promise<Pick<RestoreState, 'obstacle' | 'backups'>> => {
    if (!(await answers(folder))) return { obstacle: silentFolder(folder), backups: [] };
    const [backups, checks, ahead] = await Promise.all([
      listBackups(folder),
      readBackupChecks(home),
      readDatedAhead(home),
    ]);
    return {
      obstacle: null,
      backups: backups.map(({ isListed, ...backup }) => ({
        ...backup,
        isDatedAhead: isDatedAhead(backup, ahead, Date.now()),
        hasChecksums: isListed,
        checkedAt: checks[backup.name]?.at ?? null,
        fault: checks[backup.name]?.fault ?? null,
      })),
    };
  };
  const state = async (): Promise<RestoreState> => {
    const kept = await listKeptStates(home);
    const sized = kept.map(async (each) => ({ ...each, bytes: await folderBytes(join(home, each.name)) }));
    return {
      heldBy: (await options.isService()) ? 'services' : null,
      ...(await read()),
      kept: await Promise.all(sized),
      // What was kept is the only way back until what runs now is known to work.
      isDeletable: ['running', 'degraded', 'unlicensed'].includes(stack.status().state),
      news: options.news,
    };
  };

  /** Nothing may write into the data folder any more, whatever asks for it: the stack is stopped for good. */
  const whileStopped = (act: RestoreProgress['act'], work: () => Promise<RestoreNews>) => {
    const run = async () => {
      tell({ act, step: 'stop', doneBytes: 0, bytes: 0, isCancellable: false });
      await stack.stop();
      const news = await work();
      log.info({ act, ...news }, 'finished a restore');
      tell({ act, step: 'start', doneBytes: 0, bytes: 0, isCancellable: false });
      options.reopen(news);
    };
    running = run().catch((error: Error) => {
      const outcome = cancel.signal.aborted ? 'cancelled' : 'failed';
      if (outcome === 'failed') log.error({ err: error, act }, 'could not restore');
      options.reopen({ outcome, detail: outcome === 'failed' ? error.message : null });
    });
  };

  const restore = async ({ name, bytes }: KeptBackup): Promise<RestoreNews> => {
    using guardian = options.startGuardian();
    const { takenAt } = await restoreHome({
      ...{ owner: 'castellan', home, backup: join(folder, name), guardian },
      onlyWhereMissing: [recordFileName],
      signal: cancel.signal,
      onProgress: ({ step, doneBytes }) =>
        tell({
          ...{ act: 'restore', step, doneBytes, isCancellable: step !== 'swap' },
          bytes: counted.has(step) ? (bytes ?? 0) : 0,
        }),
    });
    return { outcome: 'restored', detail: takenAt };
  };

  return {
    calls: {
      'restore.state': state,
      async 'restore.begin'({ name }) {
        await demandFree();
        if (!(await answers(folder))) throw new StartupError(silentFolder(folder));
        const backup = (await listBackups(folder)).find((each) => each.name === name);
        if (backup === undefined) throw new StartupError('This backup is not there any more.');
        // The look above takes a while.
        await demandFree();
        whileStopped('restore', () => restore(backup));
        return {};
      },
      async 'restore.goBack'({ name }) {
        await demandFree();
        whileStopped('back', async () => {
          tell({ act: 'back', step: 'swap', doneBytes: 0, bytes: 0, isCancellable: false });
          await goBackTo(home, name);
          return { outcome: 'went-back', detail: null };
        });
        return {};
      },
      'restore.progress': () => progress,
      'restore.cancel'() {
        if (progress?.isCancellable) cancel.abort(new StartupError('It was cancelled.'));
        return {};
      },
      async 'restore.deleteKept'({ name }) {
        await demandFree();
        if (!(await state()).isDeletable)
          throw new StartupError('What was kept can be deleted once everything runs.');
        isDeleting = true;
        try {
          await removeKeptState(home, name);
        } finally {
          isDeleting = false;
        }
        return state();
      },
    },
    isBusy: () => running !== null || isDeleting,
    async [Symbol.asyncDispose]() {
      cancel.abort(new StartupError('Castellan is quitting.'));
      await running;
    },
  };
};
