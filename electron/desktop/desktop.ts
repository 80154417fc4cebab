import { EventEmitter } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  type App,
  type Details,
  dialog,
  ipcMain,
  powerMonitor,
  protocol,
  safeStorage,
  session,
} from 'electron';
import type { DataFolderMove } from '#contracts/desktop/desktop-data-folder.ts';
import type { DesktopNews } from '#contracts/desktop/desktop-restore.ts';
import type { ServicesProgress } from '#contracts/desktop/desktop-services.ts';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import type { JumpAct } from '#contracts/kernel/jump-acts.ts';
import { processEndText } from '#contracts/kernel/windows-codes/windows-answer.ts';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import { makeHome } from '#runtime/home.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import type { Log } from '#runtime/log.ts';
import { setUpOutside } from '#runtime/outside/outside.ts';
import { stopWithSession } from '#runtime/postgres/stop-with-session.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { windowsServices } from '#runtime/windows/service-control.ts';
import { within } from '#runtime/within.ts';
import { keepDemoPortal, settleDemoPortal } from '../demo-portal/demo-portal.ts';
import { createAddressTests } from '../diagnostics/address-tests.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import { programFoldersOf, replaceableFault } from '../services/per-machine.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import type { Stack } from '../stack/stack.ts';
import { createApiProxy } from './api-proxy.ts';
import { askConfirmation } from './ask-confirmation.ts';
import type { Autostart } from './autostart.ts';
import { watchBackups } from './backup-watch.ts';
import { type DataFolder, openDataFolder } from './data-folder-calls.ts';
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
import { startAgainAfterUpdates } from './register-restart.ts';
import { type DesktopRestore, openDesktopRestore } from './restore-calls.ts';
import { openAccessStore } from './services/access-store.ts';
import { ServicesOrderError } from './services/services-work.ts';
import { openStackModes } from './services/stack-modes.ts';
import { onSessionEnd } from './session-end.ts';
import { watchSystemProxy } from './system-proxy-watch.ts';
import { createTaskbar } from './taskbar.ts';
import { overlayOf, taskbarProgress } from './taskbar-view.ts';
import { openTray } from './tray.ts';
import { performTrayAction, tellOfTray } from './tray-actions.ts';
import { type TrayAction, type TrayView, trayView } from './tray-view.ts';
import type { UpdatesBeginning } from './updates/begin-updates.ts';
import { type FinalAction, openDesktopUpdates } from './updates/desktop-updates.ts';
import { updateWordsFor } from './updates/update-words.ts';
import { watchWaiting } from './waiting-watch.ts';

/** The running desktop. Disposing stops the stack in order. */
export interface Desktop extends AsyncDisposable {
  readonly log: Log;
  /** Brings the window to the front, from the tray or from another start of the program. */
  open(): void;
  /** Performs what was chosen in the jump list. */
  perform(act: JumpAct): void;
  /** Announces the end: the desktop says so, and from now on the window closes instead of hiding. */
  letGo(): void;
  /** Whether its window is on screen. */
  isSeen(): boolean;
  /** Its window outlives it, so that another one can take its place. */
  closeWindow(): void;
}

/** Windows ends a program that does not answer within five seconds as hung. */
const sessionEndMs = 4500;

const proxyMs = 3000;

/** The panel's page that shows the result of a move, and of a restore. */
const dataFolderPage = '#/computer/data';

/** What the stack announces to code that is created after it. */
interface StackEvents {
  readonly changed: [];
  readonly progress: [ServicesProgress];
}

/** The whole desktop: the stack, its tray icon, its window. */
export const openDesktop = async (options: {
  readonly app: App;
  readonly home: string;
  /** Holds preload.cjs and icons/. */
  readonly appFolder: string;
  /** Holds api.mjs and the other programs that Node runs, and panel/, which the API serves, too. */
  readonly programsFolder: string;
  /** The Node executable that API and bot run under. */
  readonly node: string;
  readonly runElevated: RunElevated;
  readonly record: DesktopRecordStore;
  readonly autostart: Autostart;
  readonly words: DesktopWords;
  /** The environment of this process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Begin in the tray. */
  readonly isHidden: boolean;
  /** What the program was started for; null: to run. */
  readonly firstAct: JumpAct | null;
  readonly updates: UpdatesBeginning;
  /** Ends the program in order, and then performs the act. */
  readonly leave: (act: FinalAction) => void;
  /** The result of moving the data folder or of a restore, if this start follows one; else null. */
  readonly news: DesktopNews | null;
  /** Ends this desktop in order and opens another one, wherever the data folder is then. */
  readonly reopen: (news: DesktopNews | null) => void;
}): Promise<Desktop> => {
  const { app, home, appFolder, programsFolder, record, autostart, words } = options;
  await using opening = new AsyncDisposableStack();
  await makeHome(home);
  // While the stack ends, its page still asks and loads; the next desktop binds its calls after that.
  opening.defer(() => {
    unbindDesktopCalls(ipcMain);
    stopServingPanel(protocol);
  });
  const files = await listPanelFiles(join(programsFolder, 'panel'));
  let isAutostarted = await autostart.isOn();
  let isLeaving = false;
  let move: DataFolderMove | null = null;
  let update: UpdatesState | null = null;
  let isBackingUp = false;
  let isRestoring = false;
  let waiting: number | null = null;
  let view: TrayView | null = null;
  /** The progress of work changes more often than the rest. */
  const showWork = () => {
    if (!view) return;
    const { state } = stack.status();
    const { work: services } = stack.progress();
    const progress = taskbarProgress({
      state,
      services,
      move,
      update,
      isBackingUp: isBackingUp || isRestoring,
    });
    taskbar.show({ progress, overlay: overlayOf(view.look), described: view.tooltip });
  };
  const trayActs = createPendingQueue<TrayAction>();

  // Before the stack, so that it also shows the stack's end.
  const icons = join(appFolder, 'icons');
  const tray = opening.use(openTray(icons, trayActs.push));
  const taskbar = createTaskbar(icons, () => panel.now());
  const settledDemo = await settleDemoPortal({ home, programsFolder });
  const control = process.platform === 'win32' ? windowsServices() : null;
  const installation = { home, programsFolder, node: options.node };
  const stackEvents = new EventEmitter<StackEvents>();
  const stack = opening.use(
    await openStackModes({
      ...installation,
      control,
      user: userInfo().username,
      runElevated: options.runElevated,
      fault: () => replaceableFault(installation, programFoldersOf(options.variables)),
      access: await openAccessStore(app.getPath('userData'), home, safeStorage),
      onChange: () => void stackEvents.emit('changed'),
      onProgress: (progress) => void stackEvents.emit('progress', progress),
      onStopped: () => app.quit(),
      complain: (text) => process.stderr.write(`${text}\n`),
    }),
  );
  const { log } = stack;
  if (app.isPackaged) startAgainAfterUpdates(programsFolder, log);
  opening.use(
    onSessionEnd(() => {
      // Windows ends its services itself.
      if (stack.mode() === 'services') return app.quit();
      stack.stop().catch((error: Error) => log.error({ err: error }, 'could not stop the stack'));
      const isInOrder = stopWithSession(join(postgresFolder(home), 'data'), sessionEndMs);
      log.info({ isInOrder }, 'the session is ending');
      app.quit();
    }),
  );
  const demo = opening.use(keepDemoPortal(settledDemo, { ...installation, log }));
  const left = stack.leftRestore();
  const liveOrigin = () => stack.status().apiUrl.replace(/^http/, 'ws');
  const panel = panelWindow({
    record,
    appFolder,
    liveOrigin,
    at: options.news === null && left === null ? '' : dataFolderPage,
    onShow: () => taskbar.renew(),
    // A closed window must not leave servers running unless that is wanted; and it shows how they end.
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
      .catch((error: Error) => log.warn({ err: error }, 'could not store which data folder is in use'));
  const confirmation = createLocalConfirmation({ ask: () => askConfirmation(panel.now(), words.stepUp) });
  const api = createApiProxy(stack, confirmation.holds);
  const config = await readStackConfig(home);
  const addresses = createAddressTests(home, programsFolder);
  const systemProxy = opening.use(
    watchSystemProxy({
      home,
      resolve: (url) => session.defaultSession.resolveProxy(url),
      urls: addresses.proxied,
      async onChange() {
        const { outside } = await readStackConfig(home);
        setUpOutside(outside, log);
        if (outside.proxy || stack.mode() === 'services') return;
        await stack.restart('api');
        await stack.restart('bot');
      },
      log,
    }),
  );
  const lookAtProxy = () =>
    systemProxy.look().catch((error: Error) => {
      log.warn({ err: error }, 'could not find out which proxy this computer uses');
    });
  // Where Windows detects a proxy by itself, this may take long.
  await within(proxyMs, lookAtProxy(), () => undefined);
  setUpOutside(config.outside, log);
  const portalRoute: PortalRoute = { proxy: config.licenseProxy };
  const proxy = () => portalRoute.proxy;
  const license = opening.use(await openLicenseFromConfig(config, { home, log, scheduled: false, proxy }));

  const stopped: Pick<Stack, 'status' | 'stop'> = {
    status: stack.status,
    // A demo portal writes into the data folder, too.
    async stop(how) {
      await Promise.all([demo.stop(), stack.stop(how)]);
    },
  };
  const isService = async () => stack.mode() === 'services' || stack.progress().work !== null;
  const restore: DesktopRestore = opening.use(
    openDesktopRestore({
      home,
      stack: stopped,
      log,
      startGuardian: () =>
        startGuardian(options.node, join(programsFolder, 'guardian.mjs'), () =>
          log.warn('the guardian of a restore ended'),
        ),
      isService,
      hindrance: () => (dataFolder.isBusy() ? 'The data folder is being moved or deleted.' : null),
      tell(progress) {
        tell('restore.changed', progress);
        isRestoring = progress !== null;
        showWork();
      },
      news:
        options.news !== null && 'restore' in options.news
          ? options.news.restore
          : left && { outcome: left, detail: null },
      reopen: (news) => options.reopen({ restore: news }),
    }),
  );
  const dataFolder: DataFolder = opening.use(
    openDataFolder({
      home,
      programsFolder,
      variables: options.variables,
      stack: stopped,
      log,
      isService,
      askForFolder: (from) => askForFolder(panel.now(), from),
      tell(known) {
        tell('dataFolder.changed', known);
        move = known;
        showWork();
      },
      hindrance: () => (restore.isBusy() ? 'A backup is being restored.' : null),
      news: options.news !== null && 'dataFolder' in options.news ? options.news.dataFolder : null,
      reopen: (dataFolder) => options.reopen(dataFolder === null ? null : { dataFolder }),
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
        update = state;
        showWork();
        if (state.step === 'ready' && state.offer) board.noteUpdate(state.offer.version);
      },
      areNoticesWanted: () => record.now().settings.notices,
      hindrance() {
        if (dataFolder.isBusy()) return 'The data folder is being moved or deleted.';
        if (restore.isBusy()) return 'A backup is being restored.';
        return stack.progress().work === null ? null : 'The Windows Services are being changed.';
      },
      show: () => open('/computer/updates'),
      leave: options.leave,
    }),
  );

  opening.use(
    watchBackups({
      api,
      log,
      tell(isRunning) {
        isBackingUp = isRunning;
        showWork();
      },
    }),
  );

  /** Updates everything that shows the current state. */
  const show = () => {
    const status = stack.status();
    api.noteChange();
    const facts = { status, license: license.status().state, waiting, isAutostarted, isLeaving };
    view = trayView({ ...facts, isServices: stack.mode() === 'services' }, words);
    tray.show(view);
    showWork();
    tell('stack.changed', status);
    updates.lookAtStack();
    board.look();
    panel.renewWhenMoved();
  };
  opening.use(
    watchWaiting({
      api,
      log,
      tell(count) {
        waiting = count;
        show();
      },
    }),
  );
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
      log.error({ err: error, act: wish.act }, 'tray action failed');
      const isWithdrawn = error instanceof ServicesOrderError && error.result.outcome === 'refused';
      // Quitting cancels what was running, and users who said no to Windows know that they did.
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
    systemProxy,
    addresses,
    updates,
    dataFolder,
    restore,
    confirmation,
    panel,
    control,
    log,
    onAutostart: () => void lookAtAutostart(),
  });
  bindDesktopCalls(ipcMain, handlers, log);
  const onResume = () => {
    confirmation.forget();
    license.onResume();
    stack.onResume();
    void lookAtProxy();
  };
  /** Chromium restarts such a process, and after several ends draws without the graphics card; the page does not notice. */
  const onChildGone = (_event: unknown, { type, reason, exitCode }: Details) => {
    if (reason === 'clean-exit') return;
    log.warn(
      { type, reason, exitCode, why: processEndText(exitCode, 'en') },
      'a process of the desktop ended',
    );
  };
  app.on('child-process-gone', onChildGone);
  opening.defer(() => void app.off('child-process-gone', onChildGone));
  powerMonitor.on('resume', onResume);
  opening.defer(() => void powerMonitor.off('resume', onResume));

  // Before anything is announced, so that there is a page to receive it.
  if (!options.isHidden) open();
  stackEvents.on('changed', show);
  stackEvents.on('progress', (progress) => {
    tell('services.progress', progress);
    showWork();
  });
  opening.defer(
    license.subscribe((status: LicenseStatus) => {
      show();
      tell('license.changed', status);
    }),
  );
  show();
  // Its components report themselves what fails; what is left is that it was stopped while it started.
  const begin = () =>
    stack
      .begin()
      .then(() => dataFolder.noteStarted())
      .catch((error: Error) => log.warn({ err: error }, 'could not start the stack'));
  // A stack that is not running yet is not started only to be stopped.
  if (options.firstAct !== 'stop') void begin();
  if (options.firstAct === 'stop' || options.firstAct === 'logs') trayActs.push({ act: options.firstAct });

  trayActs.serve(act);
  const resources = opening.move();
  return {
    log,
    open,
    perform: (wanted) => act({ act: wanted }),
    letGo() {
      isLeaving = true;
      show();
      // Windows Services keep running.
      if (stack.mode() === 'app') tell('desktop.leaving', {});
    },
    isSeen: panel.isSeen,
    closeWindow: panel.destroy,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};
