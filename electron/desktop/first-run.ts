import { join } from 'node:path';
import { type App, ipcMain, protocol, session } from 'electron';
import { type DesktopCallName, desktopCallNames } from '#contracts/desktop.ts';
import { desktopOrigin } from '#contracts/tickets.ts';
import { createLog } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { runElevated } from '../elevation/run-elevated.ts';
import { readLicenseServer } from '../first-start/license-server.ts';
import type { ApiProxy } from './api-proxy.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopWords } from './desktop-words.ts';
import { firstRunCalls } from './first-run-calls.ts';
import { askForFolder } from './folder-dialog.ts';
import { bindDesktopCalls, type DesktopHandlers, unbindDesktopCalls } from './ipc-registrar.ts';
import { openMainWindow } from './main-window.ts';
import { firewallHere } from './network-calls.ts';
import { denyRights } from './page-rights.ts';
import { listPanelFiles } from './panel-files.ts';
import { servePanel, stopServingPanel } from './panel-scheme.ts';

export interface FirstRunWindowOptions {
  readonly app: App;
  readonly record: DesktopRecordStore;
  readonly appFolder: string;
  readonly programsFolder: string;
  /** The executable that the API runs under. */
  readonly node: string;
  readonly usualHome: string;
  readonly words: DesktopWords;
  readonly discordApiUrl: string | undefined;
  /** Of this process's environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The window of the first run, and what it leads to. */
export interface FirstRun {
  /** Of the installation that there is in the end; never, when the window is closed before. */
  readonly home: Promise<string>;
  /** Nothing is begun yet that would have to be ended in order. */
  isWaiting(): boolean;
  bring(): void;
  /** To be called once the panel's own window is there. */
  close(): void;
}

/** Before there is a stack: asks where it is to live and how it is to be reached. */
export const openFirstRun = async (options: FirstRunWindowOptions): Promise<FirstRun> => {
  const { app, record, appFolder, programsFolder, usualHome, words, discordApiUrl } = options;
  // There is no home yet for a log file to lie in.
  const log = createLog({ component: 'desktop', destination: process.stderr });
  const finished = Promise.withResolvers<string>();
  const licenseServer = await readLicenseServer(programsFolder);
  const files = await listPanelFiles(join(appFolder, 'panel'));
  const liveOrigin = desktopOrigin;

  denyRights(session.defaultSession);
  servePanel(protocol, { files, api: nobody, liveOrigin: () => liveOrigin });
  let isFinished = false;
  const main = openMainWindow({
    record,
    appFolder,
    liveOrigin,
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
    firewall: firewallHere(runElevated, options.node),
    askForFolder: (from) => askForFolder(main.window, from),
    onFinished(home) {
      isFinished = true;
      // Once the page has heard of it: the panel's own scheme and calls take their place.
      setImmediate(() => {
        unbindDesktopCalls(ipcMain);
        stopServingPanel(protocol);
        finished.resolve(home);
      });
    },
  });
  bindDesktopCalls(ipcMain, { ...notYet(), ...calls }, log);

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

const notYetWords = 'The stack is not set up yet.';

const nobody: ApiProxy = {
  refusal: async () => notYetWords,
  fetch: () => Promise.reject(new StartupError(notYetWords)),
  noteChange: () => undefined,
};

/** What needs a stack is asked for by no page of the first run. */
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
