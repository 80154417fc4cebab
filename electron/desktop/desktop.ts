import { EventEmitter } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type App, dialog, ipcMain, powerMonitor, protocol, safeStorage, session } from 'electron';
import type { DataFolderNews } from '#contracts/desktop-data-folder.ts';
import type { ServicesProgress } from '#contracts/desktop-services.ts';
import type { LicenseStatus } from '#contracts/license-state.ts';
import { makeHome } from '#runtime/home.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import type { Log } from '#runtime/log.ts';
import { stopWithSession } from '#runtime/postgres/stop-with-session.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { windowsServices } from '#runtime/windows/service-control.ts';
import { keepDemoPortal, settleDemoPortal } from '../demo-portal/demo-portal.ts';
import { runElevated } from '../elevation/run-elevated.ts';
import { programFoldersOf, replaceableFault } from '../services/per-machine.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { createApiProxy } from './api-proxy.ts';
import { askConfirmation } from './ask-confirmation.ts';
import type { Autostart } from './autostart.ts';
import { openDataFolder } from './data-folder-calls.ts';
import { handlersOf } from './desktop-handlers.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopWords } from './desktop-words.ts';
import { askForFolder } from './folder-dialog.ts';
import { watchGameCrashes } from './game-crashes.ts';
import { bindDesktopCalls, unbindDesktopCalls } from './ipc-registrar.ts';
import type { PortalRoute } from './license-calls.ts';
import { createLocalConfirmation } from './local-confirmation.ts';
import { openNoticeBoard } from './notice-board.ts';
import { denyRights } from './page-rights.ts';
import { listPanelFiles } from './panel-files.ts';
import { servePanel, stopServingPanel } from './panel-scheme.ts';
import { panelWindow } from './panel-window.ts';
import { createPendingQueue } from './pending-queue.ts';
import { openAccessStore } from './services/access-store.ts';
import { ServicesOrderError } from './services/services-work.ts';
import { openStackModes } from './services/stack-modes.ts';
import { onSessionEnd } from './session-end.ts';
import { openTray } from './tray.ts';
import { performTrayAction, tellOfTray } from './tray-actions.ts';
import { type TrayAction, trayView } from './tray-view.ts';
import type { UpdatesBeginning } from './updates/begin-updates.ts';
import { type FinalAction, openDesktopUpdates } from './updates/desktop-updates.ts';
import { updateWordsFor } from './updates/update-words.ts';

export interface DesktopOptions {
  readonly app: App;
  readonly home: string;
  /** Where preload.cjs, panel/ and icons/ lie. */
  readonly appFolder: string;
  /** Where api.mjs and the others that Node runs lie. */
  readonly programsFolder: string;
  /** The Node executable that API and bot run under. */
  readonly node: string;
  readonly record: DesktopRecordStore;
  readonly autostart: Autostart;
  readonly words: DesktopWords;
  /** Of this process's environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Begin in the tray. */
  readonly isHidden: boolean;
  readonly updates: UpdatesBeginning;
  /** Ends the program in order; the act is the last thing that it does. */
  readonly leave: (act: FinalAction) => void;
  /** What came of the move of the home that it is opened after; null when it is not. */
  readonly news: DataFolderNews | null;
  /** Ends this desktop in order and opens another one, wherever the home is by then. */
  readonly reopen: (news: DataFolderNews | null) => void;
}

/** The desktop while it runs. Disposing stops the stack in order. */
export interface Desktop extends AsyncDisposable {
  readonly log: Log;
  /** Brings the window to the front, from the tray or from another start of the program. */
  open(): void;
  /** It is about to be disposed: says so, and the window closes from now on instead of hiding. */
  letGo(): void;
  /** Whether its window is on the screen. */
  isSeen(): boolean;
  /** Its window outlives it, so that another one can take its place. */
  closeWindow(): void;
}

/** Windows takes a program for hung, and ends it, that does not answer within five seconds. */
const sessionEndMs = 4500;

/** Where the panel tells what came of a move. */
const dataFolderPage = '#/computer/data';

/** What the stack announces to parts that are built on it. */
interface StackEvents {
  readonly changed: [];
  readonly progress: [ServicesProgress];
}

/** Everything of the desktop, put together: the stack, its tray icon, its window. */
export const openDesktop = async (options: DesktopOptions): Promise<Desktop> => {
  const { app, home, appFolder, programsFolder, record, autostart, words } = options;
  await using opening = new AsyncDisposableStack();
  await makeHome(home);
  // While the stack ends, its page still asks and loads; the next desktop binds its calls after that.
  opening.defer(() => {
    unbindDesktopCalls(ipcMain);
    stopServingPanel(protocol);
  });
  const files = await listPanelFiles(join(appFolder, 'panel'));
  let isAutostarted = await autostart.isOn();
  let isLeaving = false;
  const trayActs = createPendingQueue<TrayAction>();

  // Before the stack, so that it shows the stack's end, too.
  const tray = opening.use(openTray(join(appFolder, 'icons'), trayActs.push));
  const settledDemo = await settleDemoPortal({ home, programsFolder });
  const control = process.platform === 'win32' ? windowsServices() : null;
  const installation = { home, programsFolder, node: options.node };
  const stackEvents = new EventEmitter<StackEvents>();
  const stack = opening.use(
    await openStackModes({
      ...installation,
      control,
      user: userInfo().username,
      runElevated,
      fault: () => replaceableFault(installation, programFoldersOf(options.variables)),
      access: await openAccessStore(app.getPath('userData'), home, safeStorage),
      onChange: () => void stackEvents.emit('changed'),
      onProgress: (progress) => void stackEvents.emit('progress', progress),
      onStopped: () => app.quit(),
      complain: (text) => process.stderr.write(`${text}\n`),
    }),
  );
  const { log } = stack;
  opening.use(
    onSessionEnd(() => {
      // Windows sees to its services itself.
      if (stack.mode() === 'services') return app.quit();
      stack.stop().catch((error: Error) => log.error({ err: error }, 'the stack could not be stopped'));
      const isInOrder = stopWithSession(join(postgresFolder(home), 'data'), sessionEndMs);
      log.info({ isInOrder }, 'the session ends');
      app.quit();
    }),
  );
  const demo = opening.use(keepDemoPortal(settledDemo, { ...installation, log }));
  const liveOrigin = () => stack.status().apiUrl.replace(/^http/, 'ws');
  const panel = panelWindow({
    record,
    appFolder,
    liveOrigin,
    at: options.news === null ? '' : dataFolderPage,
    // Gone from the screen, it must not leave servers running unless that is wanted; and it shows how they end.
    onClose() {
      if (isLeaving) return 'close';
      if (!record.now().settings.closeToTray) {
        app.quit();
        return 'stay';
      }
      tellOfTray(record, words, log);
      return 'hide';
    },
    words,
    log,
    hasDevTools: !app.isPackaged,
  });
  const { tell, open } = panel;
  if (record.now().lastHome !== home)
    record
      .change({ lastHome: home })
      .catch((error: Error) => log.warn({ err: error }, 'which home is in use could not be kept'));
  const confirmation = createLocalConfirmation({ ask: () => askConfirmation(panel.now(), words.stepUp) });
  const api = createApiProxy(stack, confirmation.holds);
  const config = await readStackConfig(home);
  const portalRoute: PortalRoute = { proxy: config.licenseProxy };
  const proxy = () => portalRoute.proxy;
  const license = opening.use(await openLicenseFromConfig(config, { home, log, scheduled: false, proxy }));

  const dataFolder = opening.use(
    openDataFolder({
      home,
      programsFolder,
      variables: options.variables,
      stack: {
        status: stack.status,
        // What lies in the home belongs to a demo portal, too.
        async stop(how) {
          await Promise.all([demo.stop(), stack.stop(how)]);
        },
      },
      log,
      isService: async () => stack.mode() === 'services' || stack.progress().work !== null,
      askForFolder: (from) => askForFolder(panel.now(), from),
      tell: (move) => tell('dataFolder.changed', move),
      news: options.news,
      reopen: options.reopen,
    }),
  );
  const board = opening.use(
    openNoticeBoard({
      home,
      record,
      words: words.notices,
      log,
      status: () => stack.status(),
      license: () => license.status(),
      watched: panel.watched,
      open: (page) => open(page),
    }),
  );
  opening.use(watchGameCrashes({ api, tell: board.tellOfGame, log }));
  const updates = opening.use(
    openDesktopUpdates({
      home,
      beginning: options.updates,
      stack,
      words: updateWordsFor(app.getLocale()),
      log,
      tell(state) {
        tell('updates.changed', state);
        if (state.step === 'ready' && state.offer) board.noteUpdate(state.offer.version);
      },
      areNoticesWanted: () => record.now().settings.notices,
      hindrance() {
        if (dataFolder.isBusy()) return 'The data folder is being moved or cleared.';
        return stack.progress().work === null ? null : 'The Windows Services are being changed.';
      },
      show: () => open('/computer/updates'),
      leave: options.leave,
    }),
  );

  /** Shows what is true now, wherever it is shown. */
  const show = () => {
    const status = stack.status();
    api.noteChange();
    const facts = { status, license: license.status().state, isAutostarted, isLeaving };
    tray.show(trayView({ ...facts, isServices: stack.mode() === 'services' }, words));
    tell('stack.changed', status);
    updates.lookAtStack();
    board.look();
    panel.renewWhenMoved();
  };
  const lookAtAutostart = async () => {
    isAutostarted = await autostart.isOn();
    show();
  };
  const toggleAutostart = async () => {
    await autostart.set(!isAutostarted);
    await lookAtAutostart();
  };
  const act = (wish: TrayAction) => {
    performTrayAction(wish, { app, home, stack, open, toggleAutostart, updates }).catch((error: Error) => {
      log.error({ err: error, act: wish.act }, 'what was chosen in the tray failed');
      const isWithdrawn = error instanceof ServicesOrderError && error.result.outcome === 'refused';
      // Quitting stops what was under way, and people who said no to Windows know that they did.
      if (!isLeaving && !isWithdrawn)
        void dialog.showMessageBox({ type: 'error', message: words.failed, detail: error.message });
    });
  };

  denyRights(session.defaultSession);
  servePanel(protocol, { files, api, liveOrigin });
  const handlers = handlersOf({
    ...options,
    stack,
    license,
    portalRoute,
    portalUrl: config.licenseServerUrl,
    updates,
    dataFolder,
    confirmation,
    panel,
    control,
    log,
    onAutostart: () => void lookAtAutostart(),
  });
  bindDesktopCalls(ipcMain, handlers, log);
  const onResume = () => {
    confirmation.forget();
    return license.onResume();
  };
  powerMonitor.on('resume', onResume);
  opening.defer(() => void powerMonitor.off('resume', onResume));

  // Before anything is announced, so that there is a page to hear it.
  if (!options.isHidden) open();
  stackEvents.on('changed', show);
  stackEvents.on('progress', (progress) => tell('services.progress', progress));
  opening.defer(
    license.subscribe((status: LicenseStatus) => {
      show();
      tell('license.changed', status);
    }),
  );
  show();
  // Its components say themselves what fails; what remains is that it was stopped meanwhile.
  stack
    .begin()
    .then(() => dataFolder.noteStarted())
    .catch((error: Error) => log.warn({ err: error }, 'the stack was not started'));

  trayActs.serve(act);
  const resources = opening.move();
  return {
    log,
    open,
    letGo() {
      isLeaving = true;
      show();
      // Windows's services run on.
      if (stack.mode() === 'app') tell('desktop.leaving', {});
    },
    isSeen: panel.isSeen,
    closeWindow: panel.destroy,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};
