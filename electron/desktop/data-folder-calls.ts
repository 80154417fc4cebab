import { isAbsolute, resolve } from 'node:path';
import type {
  DataFolderMove,
  DataFolderNews,
  DataFolderReport,
  DataFolderState,
} from '#contracts/desktop-data-folder.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { folderBytes } from '../data-folder/folder-bytes.ts';
import { goBack, isUntouchedSince, keptHomeOf, removeKeptHome } from '../data-folder/kept-home.ts';
import { clearHalf, halfCopyOf, moveHome } from '../data-folder/move-home.ts';
import { isSameFolder } from '../data-folder/move-marks.ts';
import { checkTarget } from '../data-folder/target-check.ts';
import type { Stack } from '../stack/stack.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

export interface DataFolderOptions {
  readonly home: string;
  readonly programsFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stack: Pick<Stack, 'stop' | 'status'>;
  readonly log: Log;
  /** Whether Windows Services run this home, or are about to. */
  readonly isService: () => Promise<boolean>;
  /** The system's dialog; null when nothing was chosen. */
  readonly askForFolder: (from: string) => Promise<string | null>;
  /** Tells the page how far a move is. */
  readonly tell: (move: DataFolderMove | null) => void;
  /** What the desktop that stands in this home was opened with. */
  readonly news: DataFolderNews | null;
  /** Begins anew, wherever the home is by then: a stack that was stopped for a move does not start again. */
  readonly reopen: (news: DataFolderNews | null) => void;
}

type Handlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `dataFolder.${string}`>>;

/** The data folder of the desktop while it runs. Disposing calls a move off, as long as that can be done. */
export interface DataFolder extends AsyncDisposable {
  readonly calls: Handlers;
  /** A folder is being moved or deleted. */
  isBusy(): boolean;
  /** Once the stack was started: a database that cannot even be opened in its new folder is opened in the old one again. */
  noteStarted(): Promise<void>;
}

const tellEveryMs = 200;
const counted = { doneBytes: 0, bytes: 0, doneFiles: 0, files: 0 };

export const openDataFolder = (options: DataFolderOptions): DataFolder => {
  const { home, programsFolder, variables, stack, log, news } = options;
  const cancel = new AbortController();
  let move: DataFolderMove | null = null;
  let running: Promise<void> | null = null;
  /** What is being deleted may be where somebody wants to move to. */
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
      throw new StartupError('CASTELLAN_HOME says where this home is: change it there.');
    if (fixed === 'services') throw new StartupError('Windows Services run this home: remove them first.');
  };
  const demandIdle = () => {
    if (running !== null) throw new StartupError('It is being moved already.');
    if (isDeleting) throw new StartupError('A folder is being deleted. Wait for that first.');
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
  /** What leads up and down again would be written into marks and records. */
  const written = (folder: string) => (isAbsolute(folder) ? resolve(folder) : folder);
  const check = (target: string): Promise<DataFolderReport> =>
    checkTarget({ home, target, programsFolder, variables });

  const state = async (): Promise<DataFolderState> => {
    const kept = await keptHomeOf(home);
    // The old one is the only way back until the new one has been seen to work.
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
    // For good: nothing may write into the home any more, whoever asks for it.
    await stack.stop();
    const onProgress = (progress: Pick<DataFolderMove, 'step' | keyof typeof counted>) =>
      tell({ to, ...progress, isCancellable: true });
    const report = await moveHome({ home, target: to, signal: cancel.signal, onProgress });
    log.info({ to, ...report }, 'a move of the home ended');
    tell({ to, step: 'start', ...counted, isCancellable: false });
    options.reopen({ outcome: report.outcome, detail: 'detail' in report ? report.detail : to });
  };
  const begin = (to: string) => {
    running = run(to).catch((error: Error) => {
      log.error({ err: error, to }, 'a move of the home failed');
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
        // The look takes its time.
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
          throw new StartupError('The old folder stays until everything runs in the new one.');
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
      log.warn({ back, reason: database.reason }, 'the database could not be opened in its new folder');
      options.reopen(back === null ? null : { outcome: 'went-back', detail: database.reason });
    },
    async [Symbol.asyncDispose]() {
      cancel.abort();
      await running;
    },
  };
};
