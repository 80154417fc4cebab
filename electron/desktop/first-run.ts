import { join } from 'node:path';
import { type App, ipcMain, protocol, session } from 'electron';
import { type DesktopCallName, desktopCallNames } from '#contracts/desktop/desktop.ts';
import { desktopOrigin } from '#contracts/identity/tickets.ts';
import { discordApiUrl as realDiscord } from '#runtime/discord/ask-discord.ts';
import { createLog } from '#runtime/log.ts';
import { outside, setUpOutside } from '#runtime/outside/outside.ts';
import { resolveSystemProxy } from '#runtime/outside/system-proxy.ts';
import { StartupError } from '#runtime/program.ts';
import { setFoundProxy } from '#runtime/system-env.ts';
import { within } from '#runtime/within.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import { readLicenseServer } from '../first-start/license-server.ts';
import type { ApiProxy } from './api-proxy.ts';
import type { Autostart } from './autostart.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopWords } from './desktop-words.ts';
import { firstRunCalls } from './first-run-calls.ts';
import { askForFolder } from './folder-dialog.ts';
import { themeCalls } from './frame-theme.ts';
import { bindDesktopCalls, type DesktopHandlers, tellPage, unbindDesktopCalls } from './ipc-registrar.ts';
import { openMainWindow } from './main-window.ts';
import { firewallHere } from './network-calls.ts';
import { denyRights } from './page-rights.ts';
import { listPanelFiles } from './panel-files.ts';
import { servePanel, stopServingPanel } from './panel-scheme.ts';
import { showInTaskbar } from './taskbar.ts';

/** The window of the first run, and its result. */
export interface FirstRun {
  /** The data folder of the resulting installation; never resolves when the window is closed before. */
  readonly home: Promise<string>;
  /** Nothing has begun yet that must be ended in order. */
  isWaiting(): boolean;
  bring(): void;
  /** Call it once the panel's own window is there. */
  close(): void;
}

/** Where Windows detects a proxy by itself, it may take longer. */
const proxyMs = 3000;

/** Before there is a stack: asks where it is to live and how it can be reached. */
export const openFirstRun = async (options: {
  readonly app: App;
  readonly record: DesktopRecordStore;
  readonly appFolder: string;
  readonly programsFolder: string;
  /** The executable that the API runs under. */
  readonly node: string;
  readonly usualHome: string;
  readonly runElevated: RunElevated;
  readonly words: DesktopWords;
  readonly discordApiUrl: string | undefined;
  readonly autostart: Autostart;
  /** The environment of this process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}): Promise<FirstRun> => {
  const { app, record, appFolder, programsFolder, usualHome, words, discordApiUrl } = options;
  // There is no data folder yet that could hold a log file.
  const log = createLog({ component: 'desktop', destination: process.stderr });
  const finished = Promise.withResolvers<string>();
  const licenseServer = await readLicenseServer(programsFolder);
  const files = await listPanelFiles(join(programsFolder, 'panel'));
  const liveOrigin = desktopOrigin;

  denyRights(session.defaultSession);
  const looked = resolveSystemProxy(
    (url) => session.defaultSession.resolveProxy(url),
    [licenseServer?.url, discordApiUrl ?? realDiscord].flatMap((url) => URL.parse(url ?? '') ?? []),
  ).then(
    (found) => {
      setFoundProxy(found);
      // It may come late: what is set by then stays.
      setUpOutside(outside().settings);
    },
    (error: Error) => log.warn({ err: error }, 'could not find out which proxy this computer uses'),
  );
  await within(proxyMs, looked, () => undefined);
  servePanel(protocol, { files, api: nobody, liveOrigin: () => liveOrigin });
  let isFinished = false;
  const main = openMainWindow({
    record,
    appFolder,
    liveOrigin,
    onShow: () => undefined,
    onClose: () => 'close',
    words,
    log,
    hasDevTools: !app.isPackaged,
  });
  const calls = firstRunCalls({
    record,
    usualHome,
    programsFolder,
    node: options.node,
    licenseServer,
    discordApiUrl,
    variables: options.variables,
    firewall: firewallHere(options.runElevated, options.node),
    autostart: options.autostart,
    onStage: (stage) => {
      if (main.window.isDestroyed()) return;
      tellPage(main.window.webContents, 'firstRun.progress', { stage });
      showInTaskbar(main.window, join(appFolder, 'icons'), {
        progress: 'unknown',
        overlay: null,
        described: '',
      });
    },
    askForFolder: (from) => askForFolder(main.window, from),
    onFinished(home) {
      isFinished = true;
      // After the page has received its answer: then the panel's own scheme and calls take their place.
      setImmediate(() => {
        unbindDesktopCalls(ipcMain);
        stopServingPanel(protocol);
        finished.resolve(home);
      });
    },
  });
  bindDesktopCalls(ipcMain, { ...notYet(), ...calls, ...themeCalls(record, log) }, log);

  main.window.on('closed', () => {
    if (!isFinished) app.quit();
  });
  main.bring();
  return {
    home: finished.promise,
    isWaiting: () => !isFinished,
    bring: main.bring,
    close() {
      if (!main.window.isDestroyed()) main.window.destroy();
    },
  };
};

const notYetWords = 'Castellan is not set up yet.';

const nobody: ApiProxy = {
  refusal: async () => notYetWords,
  fetch: () => Promise.reject(new StartupError(notYetWords)),
  noteChange: () => undefined,
};

/** No page of the first run asks for what needs a stack. */
const notYet = (): DesktopHandlers => {
  const refuse = () => {
    throw new StartupError(notYetWords);
  };
  const all: readonly (readonly [DesktopCallName, () => never])[] = desktopCallNames.map((name) => [
    name,
    refuse,
  ]);
  return Object.fromEntries(all) as unknown as DesktopHandlers;
};
