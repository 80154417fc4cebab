import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { app, crashReporter, dialog, Menu } from 'electron';
import type { DataFolderNews } from '#contracts/desktop-data-folder.ts';
import { product } from '#contracts/product.ts';
import { homeFolder } from '#runtime/home.ts';
import { createLog } from '#runtime/log.ts';
import { holdAndGoBack } from '../data-folder/kept-home.ts';
import { followMoves } from '../data-folder/move-marks.ts';
import { autostartOf, hiddenArgument } from './autostart.ts';
import { pruneCrashDumps } from './crash-dumps.ts';
import { type Desktop, openDesktop } from './desktop.ts';
import { type DesktopRecordStore, openDesktopRecord } from './desktop-record.ts';
import { wordsFor } from './desktop-words.ts';
import { tellOfFailedStart } from './failed-start.ts';
import { type FirstRun, openFirstRun } from './first-run.ts';
import { firstRunReason } from './first-run-calls.ts';
import { registerPanelScheme } from './panel-scheme.ts';
import { ownArguments, relaunchAfterExit } from './relaunch.ts';
import { beginUpdates, type UpdatesBeginning } from './updates/begin-updates.ts';
import type { FinalAction } from './updates/desktop-updates.ts';
import { updateWordsFor } from './updates/update-words.ts';

/** Postgres is waited for; what still lives then is left to the guardian. */
const stopDeadlineMs = 90_000;

/** Tells the desktop that runs to end in order, as an installer does before it replaces the files; starts nothing. */
const quitArgument = '--quit';

registerPanelScheme();
// As root on Linux Chromium runs without its sandbox or not at all, and has to be told so on the command line.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
app.setName(product.name);
// Dumps stay on this machine: they hold memory, and with it secrets. A diagnostics bundle names them.
crashReporter.start({ uploadToServer: false });
// By it Windows finds our entry in the Start menu, without which it shows no notification.
app.setAppUserModelId(product.appId);
// Electron's own has developer tools and reloading in it.
Menu.setApplicationMenu(null);

/** What Electron itself reads: packed into one archive in a package. */
const appFolder = import.meta.dirname;
/** What Node runs lies beside that archive; a checkout has everything in one folder. */
const programsFolder = app.isPackaged ? join(process.resourcesPath, 'programs') : appFolder;
const node = (): string => {
  const shipped = join(programsFolder, process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(shipped) ? shipped : (process.env.CASTELLAN_NODE ?? shipped);
};

/** Its window, while there is nothing yet that could be started. */
let firstRun: FirstRun | null = null;

let isLeaving = false;

/** One for the whole program: two would write over each other. */
let record: DesktopRecordStore | null = null;

/** What came of the last update; looked at once, since it counts the starts of a new version. */
let updates: UpdatesBeginning | null = null;

/** Done when everything of ours has ended, such as making way for another version. */
let lastAct: FinalAction | null = null;

/** Another start of the program, when this one has ended. */
const startAgain = (program = process.env.APPIMAGE): void =>
  app.relaunch({ args: ownArguments().args, ...(program && { execPath: program }) });

/** Of the newest start, for whoever asks why it failed. */
let triedHome: string | null = null;

interface Beginning {
  readonly isHidden: boolean;
  readonly news: DataFolderNews | null;
  readonly reopen: (news: DataFolderNews | null) => void;
}

const begin = async ({ isHidden, news, reopen }: Beginning): Promise<Desktop> => {
  await app.whenReady();
  record ??= await openDesktopRecord(app.getPath('userData'));
  await pruneCrashDumps(app.getPath('crashDumps'), Date.now()).catch((error: Error) => {
    process.stderr.write(`old crash dumps could not be deleted: ${error.message}\n`);
  });
  const usualHome = homeFolder(product.name, 'CASTELLAN_HOME', process.env);
  const words = wordsFor(app.getLocale());
  updates ??= await beginUpdates({
    app,
    programsFolder,
    node: node(),
    appImage: process.env.APPIMAGE,
    variables: process.env,
    words: updateWordsFor(app.getLocale()),
    log: createLog({ component: 'desktop', destination: process.stderr }),
    startAfterwards: startAgain,
  });
  if (updates === null) return app.exit(0) as never;
  const chosen = record.now().home ?? usualHome;
  let home = await followMoves(chosen);
  if (home !== chosen)
    await record.change({ home: home === usualHome ? null : home }).catch((error: Error) => {
      // The old folder leads there as well; the disk that was moved away from may be full.
      process.stderr.write(`where the home is could not be kept: ${error.message}\n`);
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
      words,
      discordApiUrl,
      variables: process.env,
    });
    // Whoever wanted to leave meanwhile would wait for choices that nobody makes.
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
    record,
    autostart: autostartOf(app, process.env, import.meta.filename),
    words,
    variables: process.env,
    isHidden: firstRun === null && isHidden,
    updates,
    leave(act) {
      lastAct = act;
      app.quit();
    },
    news,
    reopen,
  });
  // The first run has told of it by itself.
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

/** A home that cannot even be opened where it was moved to is opened where it was. */
const beginOrGoBack = async (beginning: Beginning): Promise<Desktop> => {
  try {
    return await begin(beginning);
  } catch (error) {
    const wasMoved = beginning.news?.outcome === 'moved';
    const back = wasMoved && triedHome !== null ? await holdAndGoBack(triedHome).catch(() => null) : null;
    if (back === null) throw error;
    return begin({ ...beginning, news: { outcome: 'went-back', detail: (error as Error).message } });
  }
};

/** The one desktop of this user; a second start only brings its window to the front. */
const live = () => {
  /** In another home, or in the same one once nothing runs in it any more; its page takes the place of the earlier one. */
  const reopen = (news: DataFolderNews | null) => {
    if (isLeaving) return;
    const earlier = beginning;
    beginning = earlier.then(async (desktop) => {
      const isHidden = !desktop.isSeen();
      await dispose(desktop);
      if (isLeaving) return app.exit(0) as never;
      const next = await beginOrGoBack({ isHidden, news, reopen });
      desktop.closeWindow();
      return next;
    });
    beginning.catch(fail);
  };
  const fail = (error: Error) => {
    const read = () => app.exit(1);
    void tellOfFailedStart(error, app, triedHome, wordsFor(app.getLocale())).then(read, read);
  };
  let beginning = begin({ isHidden: process.argv.includes(hiddenArgument), news: null, reopen });
  /** What nobody expected goes to the log; the stack runs on, whatever the desktop itself got wrong. */
  const report = async (error: unknown, what: string): Promise<void> => {
    const desktop = await beginning.catch(() => null);
    desktop?.log.error({ err: error }, what);
  };
  const dispose = async (desktop: Desktop) => {
    try {
      await desktop[Symbol.asyncDispose]();
    } catch (error) {
      desktop.log.error({ err: error }, 'a resource could not be closed cleanly');
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
    // A start that is under way is waited for: what it has begun has to be ended in order.
    const desktop = await beginning.catch(() => null);
    if (desktop) await Promise.race([close(desktop), delay(stopDeadlineMs)]);
    if (lastAct && (await lastAct()) === 'not-installed') startAgain();
    // Everything of ours is closed; what Electron itself would still ask of the windows can only keep it.
    app.exit(0);
  };

  process.on('uncaughtException', (error) => void report(error, 'an uncaught exception of the desktop'));
  process.on('unhandledRejection', (error) => void report(error, 'an unhandled rejection of the desktop'));
  app.on('second-instance', (_event, args, _folder, said) => {
    if (args.includes(quitArgument)) return app.quit();
    if (args.includes(hiddenArgument)) return;
    if (isLeaving) return relaunchAfterExit(app, said, process.env.APPIMAGE);
    firstRun?.bring();
    beginning.then(
      (desktop) => desktop.open(),
      () => undefined,
    );
  });
  // The tray keeps the program.
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
