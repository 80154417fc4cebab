import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { app, BrowserWindow, crashReporter, dialog, Menu } from 'electron';
import type { DesktopNews } from '#contracts/desktop/desktop-restore.ts';
import { type JumpAct, jumpActIn, withoutJumpAct } from '#contracts/kernel/jump-acts.ts';
import { product } from '#contracts/kernel/product.ts';
import { homeFolder } from '#runtime/home.ts';
import { createLog } from '#runtime/log.ts';
import { holdAndGoBack } from '../data-folder/kept-home.ts';
import { followMoves } from '../data-folder/move-marks.ts';
import { performElevated } from '../elevation/perform-elevated.ts';
import { elevationBy } from '../elevation/run-elevated.ts';
import { programFoldersOf, replaceableFault } from '../services/per-machine.ts';
import { isInstalledIn } from '../updates/windows-installer.ts';
import { autostartOf, hiddenArgument } from './autostart.ts';
import { pruneCrashDumps } from './crash-dumps.ts';
import { type Desktop, openDesktop } from './desktop.ts';
import { type DesktopRecordStore, openDesktopRecord } from './desktop-record.ts';
import { wordsFor } from './desktop-words.ts';
import { tellOfFailedStart } from './failed-start.ts';
import { type FirstRun, openFirstRun } from './first-run.ts';
import { firstRunReason } from './first-run-calls.ts';
import { followTheme } from './frame-theme.ts';
import { offerJumpList } from './jump-list.ts';
import { registerPanelScheme } from './panel-scheme.ts';
import { ownArguments, relaunchAfterExit } from './relaunch.ts';
import { beginUpdates, type UpdatesBeginning } from './updates/begin-updates.ts';
import type { FinalAction } from './updates/desktop-updates.ts';
import { updateWordsFor } from './updates/update-words.ts';

/** Postgres is waited for; the guardian ends what is still running then. */
const stopDeadlineMs = 90_000;

/** Tells the running desktop to end in order, as an installer does before it replaces the files; starts nothing. */
const quitArgument = '--quit';

/** What Electron itself reads: packed into one archive in a package. */
const appFolder = import.meta.dirname;
/** What Node runs is beside that archive; a checkout has everything in one folder. */
const programsFolder = app.isPackaged ? join(process.resourcesPath, 'programs') : appFolder;

const elevatedExitCode = app.isPackaged
  ? performElevated(process.argv.slice(1), programsFolder, process.env)
  : null;
// The desktop must not run with an administrator's rights.
if (elevatedExitCode !== null) process.exit(elevatedExitCode);

registerPanelScheme();
// As root on Linux, Chromium runs without its sandbox or not at all, and needs the switch on the command line.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
app.setName(product.name);
// Dumps stay on this machine: they contain memory, and so secrets. A diagnostics bundle lists only their names.
crashReporter.start({ uploadToServer: false });
// Windows uses it to find our entry in the Start menu, without which it shows no notification.
app.setAppUserModelId(product.appId);
// Electron's own menu offers developer tools and reloading.
Menu.setApplicationMenu(null);

const node = (): string => {
  const shipped = join(programsFolder, process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(shipped) ? shipped : (process.env.CASTELLAN_NODE ?? shipped);
};

/** Whether files in the folder may run with an administrator's rights: the installer closes the folder to other accounts. */
const isClosed = async (): Promise<boolean> =>
  replaceableFault({ programsFolder, node: node() }, programFoldersOf(process.env)) === null ||
  isInstalledIn(programsFolder);

const runElevated = elevationBy({
  program: app.isPackaged ? app.getPath('exe') : null,
  programsFolder,
  node: node(),
  isClosed,
  owner() {
    const window =
      BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows().find((one) => one.isVisible());
    return window?.getNativeWindowHandle().readBigUInt64LE() ?? 0n;
  },
});

/** The first run, while there is nothing yet to start. */
let firstRun: FirstRun | null = null;

let isLeaving = false;

/** One for the whole program: two would overwrite each other. */
let record: DesktopRecordStore | null = null;

/** The result of the last update; read once, since reading it counts the starts of a new version. */
let updates: UpdatesBeginning | null = null;

/** Performed when everything of ours has ended, such as making way for another version. */
let lastAct: FinalAction | null = null;

/** Starts the program again once this process has ended. What the taskbar's menu asked of this one is done. */
const startAgain = (program = process.env.APPIMAGE): void =>
  app.relaunch({ args: withoutJumpAct(ownArguments().args), ...(program && { execPath: program }) });

/** The data folder of the newest start, to explain why it failed. */
let triedHome: string | null = null;

interface Beginning {
  readonly isHidden: boolean;
  readonly firstAct: JumpAct | null;
  readonly news: DesktopNews | null;
  readonly reopen: (news: DesktopNews | null) => void;
}

const begin = async ({ isHidden, firstAct, news, reopen }: Beginning): Promise<Desktop> => {
  await app.whenReady();
  if (record === null) {
    record = await openDesktopRecord(app.getPath('userData'));
    followTheme(record);
  }
  await pruneCrashDumps(app.getPath('crashDumps'), Date.now()).catch((error: Error) => {
    process.stderr.write(`could not delete old crash dumps: ${error.message}\n`);
  });
  const usualHome = homeFolder(product.name, 'CASTELLAN_HOME', process.env);
  const words = wordsFor(app.getLocale());
  offerJumpList(app, words, import.meta.filename);
  const chosen = record.now().home ?? usualHome;
  updates ??= await beginUpdates({
    app,
    home: () => followMoves(chosen),
    programsFolder,
    appImage: process.env.APPIMAGE,
    runElevated,
    isClosed,
    words: updateWordsFor(app.getLocale()),
    log: createLog({ component: 'desktop', destination: process.stderr }),
    startAfterwards: startAgain,
  });
  if (updates === null) return app.exit(0) as never;
  let home = await followMoves(chosen);
  if (home !== chosen)
    await record.change({ home: home === usualHome ? null : home }).catch((error: Error) => {
      // The old folder leads there as well; the disk that was moved away from may be full.
      process.stderr.write(`could not store where the data folder is: ${error.message}\n`);
    });
  if (firstRunReason(record, usualHome) !== null) {
    const { DISCORD_API_URL: discordApiUrl } = process.env;
    firstRun = await openFirstRun({
      app,
      record,
      appFolder,
      programsFolder,
      node: node(),
      usualHome,
      runElevated,
      words,
      discordApiUrl,
      autostart: autostartOf(app, process.env, import.meta.filename),
      variables: process.env,
    });
    // A user who wanted to quit before this would wait for choices that no one makes.
    if (isLeaving) return app.exit(0) as never;
    home = await firstRun.home;
  }
  triedHome = home;
  const desktop = await openDesktop({
    app,
    home,
    appFolder,
    programsFolder,
    node: node(),
    runElevated,
    record,
    autostart: autostartOf(app, process.env, import.meta.filename),
    words,
    variables: process.env,
    isHidden: firstRun === null && isHidden,
    // A first run ends with a running stack.
    firstAct: firstRun === null ? firstAct : null,
    updates,
    leave(act) {
      lastAct = act;
      app.quit();
    },
    news,
    reopen,
  });
  // The first run has already shown it.
  if (firstRun === null && record.damagedFile !== null)
    void dialog.showMessageBox({
      type: 'warning',
      title: product.name,
      message: words.recordDamaged,
      detail: words.recordDamagedText(record.damagedFile),
    });
  record.noteTold();
  firstRun?.close();
  firstRun = null;
  return desktop;
};

/** If the data folder cannot even be opened where it was moved to, opens it where it was. */
const beginOrGoBack = async (beginning: Beginning): Promise<Desktop> => {
  try {
    return await begin(beginning);
  } catch (error) {
    const { news } = beginning;
    const wasMoved = news !== null && 'dataFolder' in news && news.dataFolder.outcome === 'moved';
    const back = wasMoved && triedHome !== null ? await holdAndGoBack(triedHome).catch(() => null) : null;
    if (back === null) throw error;
    return begin({
      ...beginning,
      news: { dataFolder: { outcome: 'went-back', detail: (error as Error).message } },
    });
  }
};

/** The only desktop of this user; a second start only brings its window to the front. */
const live = () => {
  /** Opens another data folder, or the same one once nothing runs in it; the new page takes the place of the earlier one. */
  const reopen = (news: DesktopNews | null) => {
    if (isLeaving) return;
    const earlier = beginning;
    beginning = earlier.then(async (desktop) => {
      const isHidden = !desktop.isSeen();
      await dispose(desktop);
      if (isLeaving) return app.exit(0) as never;
      const next = await beginOrGoBack({ isHidden, firstAct: null, news, reopen });
      desktop.closeWindow();
      return next;
    });
    beginning.catch(fail);
  };
  const fail = (error: Error) => {
    const read = () => app.exit(1);
    void tellOfFailedStart(error, app, triedHome, wordsFor(app.getLocale())).then(read, read);
  };
  let beginning = begin({
    isHidden: process.argv.includes(hiddenArgument),
    firstAct: jumpActIn(process.argv),
    news: null,
    reopen,
  });
  /** Logs an unexpected error; the stack keeps running, whatever the desktop itself got wrong. */
  const report = async (error: unknown, what: string): Promise<void> => {
    const desktop = await beginning.catch(() => null);
    desktop?.log.error({ err: error }, what);
  };
  const dispose = async (desktop: Desktop) => {
    try {
      await desktop[Symbol.asyncDispose]();
    } catch (error) {
      desktop.log.error({ err: error }, 'could not close a resource cleanly');
    }
  };
  const close = async (desktop: Desktop) => {
    desktop.letGo();
    await dispose(desktop);
  };
  const leave = async () => {
    if (isLeaving) return;
    isLeaving = true;
    if (firstRun?.isWaiting()) return app.exit(0) as never;
    // Wait for a start in progress: what it has begun must be ended in order.
    const desktop = await beginning.catch(() => null);
    if (desktop) await Promise.race([close(desktop), delay(stopDeadlineMs)]);
    if (lastAct && (await lastAct()) === 'not-installed') startAgain();
    // Everything of ours is closed; what Electron would still ask the windows could only delay the exit.
    app.exit(0);
  };

  process.on('uncaughtException', (error) => void report(error, 'uncaught exception in the desktop'));
  process.on('unhandledRejection', (error) => void report(error, 'unhandled rejection in the desktop'));
  app.on('second-instance', (_event, args, _folder, said) => {
    if (args.includes(quitArgument)) return app.quit();
    if (args.includes(hiddenArgument)) return;
    if (isLeaving) return relaunchAfterExit(app, said, process.env.APPIMAGE);
    // There is nothing yet to start or stop, and an act that waited for the end of the first run would surprise.
    if (firstRun) return firstRun.bring();
    const wanted = jumpActIn(args) ?? 'open';
    beginning.then(
      (desktop) => desktop.perform(wanted),
      () => undefined,
    );
  });
  // The tray keeps the program running.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    event.preventDefault();
    void leave();
  });
  beginning.catch(fail);
};

const isOnlyOne = app.requestSingleInstanceLock(ownArguments());
if (isOnlyOne && !process.argv.includes(quitArgument)) live();
else app.exit(0);
