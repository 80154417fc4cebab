import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { app, dialog, Menu } from 'electron';
import { product } from '#contracts/product.ts';
import { homeFolder } from '#runtime/home.ts';
import { autostartOf, hiddenArgument } from './autostart.ts';
import { type Desktop, openDesktop } from './desktop.ts';
import { openDesktopRecord } from './desktop-record.ts';
import { wordsFor } from './desktop-words.ts';
import { type FirstRun, openFirstRun } from './first-run.ts';
import { firstRunReason } from './first-run-calls.ts';
import { registerPanelScheme } from './panel-scheme.ts';

/** Postgres is waited for; what still lives then is left to the guardian. */
const stopDeadlineMs = 90_000;

registerPanelScheme();
// As root on Linux Chromium runs without its sandbox or not at all, and has to be told so on the command line.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
app.setName(product.name);
// Electron's own has developer tools and reloading in it.
Menu.setApplicationMenu(null);

const programsFolder = import.meta.dirname;
const node = (): string => {
  const shipped = join(programsFolder, 'node', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(shipped) ? shipped : (process.env.CASTELLAN_NODE ?? shipped);
};

/** Its window, while there is nothing yet that could be started. */
let firstRun: FirstRun | null = null;

let isLeaving = false;

const begin = async (): Promise<Desktop> => {
  await app.whenReady();
  const record = await openDesktopRecord(app.getPath('userData'));
  const usualHome = homeFolder(product.name, 'CASTELLAN_HOME', process.env);
  const words = wordsFor(app.getLocale());
  let home = record.now().home ?? usualHome;
  if (firstRunReason(record, usualHome) !== null) {
    const { DISCORD_API_URL: discordApiUrl } = process.env;
    firstRun = await openFirstRun({ app, record, programsFolder, usualHome, words, discordApiUrl });
    // Whoever wanted to leave meanwhile would wait for choices that nobody makes.
    if (isLeaving) return app.exit(0) as never;
    home = await firstRun.home;
  }
  const desktop = await openDesktop({
    app,
    home,
    programsFolder,
    iconsFolder: join(programsFolder, 'icons'),
    node: node(),
    record,
    autostart: autostartOf(app, process.env, import.meta.filename),
    words,
    isHidden: firstRun === null && process.argv.includes(hiddenArgument),
  });
  firstRun?.close();
  firstRun = null;
  return desktop;
};

/** The one desktop of this user; a second start only brings its window to the front. */
const live = () => {
  const beginning = begin();
  /** What nobody expected goes to the log; the stack runs on, whatever the desktop itself got wrong. */
  const report = async (error: unknown, what: string): Promise<void> => {
    const desktop = await beginning.catch(() => null);
    desktop?.log.error({ err: error }, what);
  };
  const close = async (desktop: Desktop) => {
    desktop.letGo();
    try {
      await desktop[Symbol.asyncDispose]();
    } catch (error) {
      await report(error, 'a resource could not be closed cleanly');
    }
  };
  const leave = async () => {
    if (isLeaving) return;
    isLeaving = true;
    if (firstRun?.isWaiting()) return app.exit(0) as never;
    // A start that is under way is waited for: what it has begun has to be ended in order.
    const desktop = await beginning.catch(() => null);
    if (desktop) await Promise.race([close(desktop), delay(stopDeadlineMs)]);
    // Everything of ours is closed; what Electron itself would still ask of the windows can only keep it.
    app.exit(0);
  };

  process.on('uncaughtException', (error) => report(error, 'an uncaught exception of the desktop'));
  process.on('unhandledRejection', (error) => report(error, 'an unhandled rejection of the desktop'));
  app.on('second-instance', (_event, args) => {
    if (args.includes(hiddenArgument)) return;
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
  beginning.catch((error: Error) => {
    dialog.showErrorBox(product.name, error.message);
    app.exit(1);
  });
};

if (app.requestSingleInstanceLock()) live();
else app.exit(0);
