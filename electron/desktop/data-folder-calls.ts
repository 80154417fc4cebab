import { isAbsolute, resolve } from 'node:path';
import type {
  DataFolderMove,
  DataFolderNews,
  DataFolderReport,
  DataFolderState,
} from '#contracts/desktop/desktop-data-folder.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { folderBytes } from '../data-folder/folder-bytes.ts';
import { goBack, isUntouchedSince, keptHomeOf, removeKeptHome } from '../data-folder/kept-home.ts';
import { clearHalf, halfCopyOf, moveHome } from '../data-folder/move-home.ts';
import { isSameFolder } from '../data-folder/move-marks.ts';
import { checkTarget } from '../data-folder/target-check.ts';
import type { Stack } from '../stack/stack.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

type Handlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `dataFolder.${string}`>>;

/** The data folder of the running desktop. Disposing cancels a move, while that is possible. */
export interface DataFolder extends AsyncDisposable {
  readonly calls: Handlers;
  /** Whether a folder is being moved or deleted. */
  isBusy(): boolean;
  /** Call it once the stack was started: a database that cannot even be opened in its new folder opens in the old one again. */
  noteStarted(): Promise<void>;
}

const tellEveryMs = 200;
const counted = { doneBytes: 0, bytes: 0, doneFiles: 0, files: 0 };

export const openDataFolder = (options: {
  readonly home: string;
  readonly programsFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stack: Pick<Stack, 'stop' | 'status'>;
  readonly log: Log;
  /** Whether Windows Services run this data folder, or are about to. */
  readonly isService: () => Promise<boolean>;
  /** The system's dialog; null when nothing was chosen. */
  readonly askForFolder: (from: string) => Promise<string | null>;
  /** Tells the page how far a move is. */
  readonly tell: (move: DataFolderMove | null) => void;
  /** What else keeps the data folder busy, in words; null: nothing. */
  readonly hindrance: () => string | null;
  /** What the desktop of this data folder was opened with. */
  readonly news: DataFolderNews | null;
  /** Opens the desktop again, wherever the data folder is then: a stack that was stopped for a move does not start again. */
  readonly reopen: (news: DataFolderNews | null) => void;
}): DataFolder => {
  const { home, programsFolder, variables, stack, log, news } = options;
  const cancel = new AbortController();
  let move: DataFolderMove | null = null;
  let running: Promise<void> | null = null;
  /** A folder that is being deleted must not become the target of a move. */
  let isDeleting = false;
  let toldAtMs = 0;

  const tell = (next: DataFolderMove) => {
    const isNews = next.step !== move?.step || next.isCancellable !== move.isCancellable;
    move = next;
    if (!isNews && performance.now() - toldAtMs < tellEveryMs) return;
    toldAtMs = performance.now();
    options.tell(next);
  };

  const fixedBy = async (): Promise<DataFolderState['fixedBy']> => {
    const { CASTELLAN_HOME: named } = variables;
    if (named && (await isSameFolder(named, home))) return 'environment';
    return (await options.isService()) ? 'services' : null;
  };
  const demandMovable = async () => {
    const fixed = await fixedBy();
    if (fixed === 'environment')
      throw new StartupError('CASTELLAN_HOME sets this data folder. Change it there.');
    if (fixed === 'services')
      throw new StartupError('Windows Services use this data folder. Remove them first.');
  };
  const demandIdle = () => {
    const hindrance = options.hindrance();
    if (hindrance !== null) throw new StartupError(hindrance);
    if (running !== null) throw new StartupError('The folder is already being moved.');
    if (isDeleting) throw new StartupError('A folder is being deleted. Wait until that is done.');
  };
  const deleting = async (work: () => Promise<unknown>): Promise<DataFolderState> => {
    demandIdle();
    isDeleting = true;
    try {
      await work();
    } finally {
      isDeleting = false;
    }
    return state();
  };
  /** Normalized, since `..` in a path would end up in marks and records. */
  const written = (folder: string) => (isAbsolute(folder) ? resolve(folder) : folder);
  const check = (target: string): Promise<DataFolderReport> =>
    checkTarget({ home, target, programsFolder, variables });

  const state = async (): Promise<DataFolderState> => {
    const kept = await keptHomeOf(home);
    // The old one is the only way back until the new one is known to work.
    const isDeletable = ['running', 'degraded', 'unlicensed'].includes(stack.status().state);
    return {
      home,
      fixedBy: await fixedBy(),
      news,
      kept: kept === null ? null : { folder: kept, bytes: await folderBytes(kept), isDeletable },
      half: move === null ? await halfCopyOf(home) : null,
    };
  };

  const run = async (to: string): Promise<void> => {
    tell({ to, step: 'stop', ...counted, isCancellable: true });
    // For good: nothing may write into the data folder any more, whatever asks for it.
    await stack.stop();
    const onProgress = (progress: Pick<DataFolderMove, 'step' | keyof typeof counted>) =>
      tell({ to, ...progress, isCancellable: true });
    const report = await moveHome({ home, target: to, signal: cancel.signal, onProgress });
    log.info({ to, ...report }, 'finished moving the data folder');
    tell({ to, step: 'start', ...counted, isCancellable: false });
    options.reopen({ outcome: report.outcome, detail: 'detail' in report ? report.detail : to });
  };
  const begin = (to: string) => {
    running = run(to).catch((error: Error) => {
      log.error({ err: error, to }, 'could not move the data folder');
      options.reopen({ outcome: 'failed', detail: error.message });
    });
  };

  return {
    calls: {
      'dataFolder.state': state,
      'dataFolder.choose': async () => ({ folder: await options.askForFolder(home) }),
      'dataFolder.check': ({ folder }) => check(written(folder)),
      async 'dataFolder.move'({ folder }) {
        await demandMovable();
        const to = written(folder);
        const report = await check(to);
        // The check above takes a while.
        await demandMovable();
        demandIdle();
        if (report.outcome === 'fine') begin(to);
        return report;
      },
      'dataFolder.progress': () => move,
      'dataFolder.cancel'() {
        if (move?.isCancellable) cancel.abort();
        return {};
      },
      async 'dataFolder.deleteKept'() {
        if (!(await state()).kept?.isDeletable)
          throw new StartupError('The old folder can be deleted once everything runs in the new one.');
        return deleting(() => removeKeptHome(home));
      },
      'dataFolder.deleteHalf': () => deleting(() => clearHalf(home)),
    },
    isBusy: () => running !== null || isDeleting,
    async noteStarted() {
      const database = stack.status().components.find(({ name }) => name === 'postgres');
      if (database?.state !== 'failed') return;
      const kept = await keptHomeOf(home);
      if (kept === null || !(await isUntouchedSince(home, kept))) return;
      await stack.stop();
      const back = await goBack(home);
      log.warn({ back, reason: database.reason }, 'could not open the database in its new folder');
      options.reopen(back === null ? null : { outcome: 'went-back', detail: database.reason });
    },
    async [Symbol.asyncDispose]() {
      cancel.abort();
      await running;
    },
  };
};
