import { join } from 'node:path';
import { type App, dialog, ipcMain, powerMonitor, protocol, session } from 'electron';
import type { LicenseStatus } from '#contracts/license-state.ts';
import { makeHome } from '#runtime/home.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import type { Log } from '#runtime/log.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { controlRoutes } from '../control/control-routes.ts';
import { holdHome } from '../control/held-home.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { readLicenseServer } from '../first-start/license-server.ts';
import { openStack } from '../stack/stack.ts';
import { apiDoor } from './api-door.ts';
import type { Autostart } from './autostart.ts';
import { createCustomerPortal } from './customer-portal.ts';
import { desktopCallsOf } from './desktop-calls.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopWords } from './desktop-words.ts';
import { callsAfterFirstRun } from './first-run-calls.ts';
import { bindDesktopCalls, type TellPage, tellPage } from './ipc-registrar.ts';
import { licenseCalls, type PortalWay, reportOf } from './license-calls.ts';
import { type MainWindow, openMainWindow } from './main-window.ts';
import { denyRights } from './page-rights.ts';
import { listPanelFiles } from './panel-files.ts';
import { servePanel } from './panel-scheme.ts';
import { transferCalls } from './transfer-calls.ts';
import { openTray } from './tray.ts';
import { performTrayAct, tellOfTray } from './tray-acts.ts';
import { type TrayAct, trayView } from './tray-view.ts';

export interface DesktopOptions {
  readonly app: App;
  readonly home: string;
  /** Where api.mjs, preload.cjs, panel/ and the others lie. */
  readonly programsFolder: string;
  readonly iconsFolder: string;
  /** The Node executable that API and bot run under. */
  readonly node: string;
  readonly record: DesktopRecordStore;
  readonly autostart: Autostart;
  readonly words: DesktopWords;
  /** Begin in the tray. */
  readonly isHidden: boolean;
}

/** The desktop while it runs. Disposing stops the stack in order. */
export interface Desktop extends AsyncDisposable {
  readonly log: Log;
  /** Brings the window to the front, from the tray or from another start of the program. */
  open(): void;
  /** It is about to be disposed: says so, and the window closes from now on instead of hiding. */
  letGo(): void;
}

/** Everything of the desktop, put together: the stack, its tray icon, its window. */
export const openDesktop = async (options: DesktopOptions): Promise<Desktop> => {
  const { app, home, programsFolder, record, autostart, words } = options;
  await using opening = new AsyncDisposableStack();
  await makeHome(home);
  const held = opening.use(await holdHome(home, 'the desktop'));
  await ensureEnv(home, await readLicenseServer(programsFolder));
  const files = await listPanelFiles(join(programsFolder, 'panel'));
  let main: MainWindow | null = null;
  let isAutostarted = await autostart.isOn();
  let isLeaving = false;

  // Before the stack, so that it shows the stack's end, too.
  const tray = opening.use(openTray(options.iconsFolder, (wish) => act(wish)));
  const stack = opening.use(
    await openStack({
      home,
      programsFolder,
      node: options.node,
      heldBy: 'the desktop',
      onChange: () => show(),
      complain: (text) => process.stderr.write(`${text}\n`),
    }),
  );
  held.serve(controlRoutes({ stack, token: held.token, onStopped: () => app.quit() }));
  const { log } = stack;
  const api = apiDoor(stack);
  const config = await readStackConfig(home);
  const way: PortalWay = { proxy: config.licenseProxy };
  const proxy = () => way.proxy;
  const license = opening.use(await openLicenseFromConfig(config, { home, log, scheduled: false, proxy }));

  const liveOrigin = () => stack.status().apiUrl.replace(/^http/, 'ws');
  const tell: TellPage = (name, event) => {
    if (main && !main.window.isDestroyed()) tellPage(main.window.webContents, name, event);
  };
  /** Tells everybody what is true now. */
  const show = () => {
    const status = stack.status();
    api.noteChange();
    tray.show(trayView({ status, license: license.status().state, isAutostarted, isLeaving }, words));
    tell('stack.changed', status);
    renewWhenMoved();
  };
  const act = (wish: TrayAct) => {
    performTrayAct(wish, { app, home, stack, open, toggleAutostart }).catch((error: Error) => {
      log.error({ err: error, act: wish.act }, 'what was chosen in the tray failed');
      // Whoever quits has stopped what was under way.
      if (!isLeaving)
        void dialog.showMessageBox({ type: 'error', message: words.failed, detail: error.message });
    });
  };
  const toggleAutostart = async () => {
    await autostart.set(!isAutostarted);
    await lookAtAutostart();
  };
  const lookAtAutostart = async () => {
    isAutostarted = await autostart.isOn();
    show();
  };
  opening.defer(
    license.subscribe((status: LicenseStatus) => {
      show();
      tell('license.changed', status);
    }),
  );

  denyRights(session.defaultSession);
  servePanel(protocol, { files, api, liveOrigin });
  bindDesktopCalls(
    ipcMain,
    {
      ...desktopCallsOf({ home, stack, record, autostart, onChange: () => void lookAtAutostart() }),
      ...licenseCalls({ home, license, way, stack }),
      ...transferCalls({
        portal: createCustomerPortal({ portalUrl: config.licenseServerUrl, proxy }),
        hwid: () => license.status().hwid,
        activate: async (key) => reportOf(await license.activate(key.reveal())),
      }),
      ...callsAfterFirstRun(record),
    },
    log,
  );
  powerMonitor.on('resume', () => license.onResume());

  let shownFor = '';
  const open = () => {
    if (!main || main.window.isDestroyed()) {
      shownFor = liveOrigin();
      main = openMainWindow({
        record,
        programsFolder,
        liveOrigin: shownFor,
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
    }
    main.bring();
  };
  /** A page knows one address of the API from its beginning; another one wants another page. */
  const renewWhenMoved = () => {
    if (!main || main.window.isDestroyed() || shownFor === liveOrigin()) return;
    const wasSeen = main.window.isVisible();
    main.window.destroy();
    main = null;
    if (wasSeen) open();
  };
  show();
  if (!options.isHidden) open();
  // Its components say themselves what fails; what remains is that it was stopped meanwhile.
  stack.start().catch((error: Error) => log.warn({ err: error }, 'the stack was not started'));

  const resources = opening.move();
  return {
    log,
    open,
    letGo() {
      isLeaving = true;
      show();
      tell('desktop.leaving', {});
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};
