import { join } from 'node:path';
import { BrowserWindow, screen, shell } from 'electron';
import { liveOriginArgument } from '#contracts/desktop-channels.ts';
import { product } from '#contracts/product.ts';
import { desktopOrigin } from '#contracts/tickets.ts';
import type { Log } from '#runtime/log.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopWords } from './desktop-words.ts';
import { lendKeys } from './page-keys.ts';
import { recoverFromCrashes } from './page-recovery.ts';
import { isPanelPage } from './panel-scheme.ts';
import { placeOnScreens } from './window-place.ts';

export interface MainWindowOptions {
  readonly record: DesktopRecordStore;
  /** Where preload.cjs lies. */
  readonly appFolder: string;
  readonly liveOrigin: string;
  /** Where the panel begins, such as `#/servers`; empty: at its overview. */
  readonly at?: string;
  /** Asked when somebody closes it. */
  readonly onClose: () => 'close' | 'hide' | 'stay';
  readonly words: DesktopWords;
  readonly log: Log;
  /** As it ships, no page can be looked into. */
  readonly hasDevTools: boolean;
}

export interface MainWindow {
  readonly window: BrowserWindow;
  /** To the front, as soon as there is something to see. */
  bring(): void;
  /** Whether it is on the screen, or will be as soon as it is drawn. */
  isSeen(): boolean;
  /** The page that somebody looks at, or will as soon as it is drawn, such as `/events`; null while nobody does. */
  watched(): string | null;
  /** Another page of the panel, such as `/events`. */
  goTo(page: string): void;
}

const smallest = { width: 720, height: 480 };
const usual = { width: 1200, height: 800 };

/** The desktop's one window: our own pages and nothing else. */
export const openMainWindow = (options: MainWindowOptions): MainWindow => {
  const { record, log, words } = options;
  const kept = record.now().window;
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const place = placeOnScreens(kept?.place ?? null, areas);
  const window = new BrowserWindow({
    ...(place ?? usual),
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    backgroundColor: '#14171c',
    title: product.name,
    webPreferences: {
      preload: join(options.appFolder, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
      devTools: options.hasDevTools,
      additionalArguments: [`${liveOriginArgument}${options.liveOrigin}`],
    },
  });
  let isDrawn = false;
  let isWanted = false;
  const bring = () => {
    isWanted = true;
    if (!isDrawn || window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  const drawn = () => {
    if (isDrawn) return;
    isDrawn = true;
    if (kept?.isMaximized) window.maximize();
    if (isWanted) bring();
  };
  window.once('ready-to-show', drawn);
  // Better a window that says nothing than none.
  window.webContents.once('did-fail-load', drawn);
  window.webContents.once('render-process-gone', drawn);

  keepPlace(window, record, log);
  stayAtHome(window, log);
  lendKeys(window.webContents, words);
  recoverFromCrashes(window, words, log);
  window.on('close', (event) => {
    const verdict = options.onClose();
    if (verdict === 'close') return;
    event.preventDefault();
    if (verdict === 'hide') window.hide();
  });
  const load = (at: string) =>
    window.loadURL(`${desktopOrigin}/index.html${at}`).catch((error: Error) => {
      // Also when the window was closed meanwhile; a page that crashed comes back by itself.
      log.warn({ err: error }, 'the page could not be loaded');
    });
  void load(options.at ?? '');
  const goTo = (page: string) => {
    // Loaded where it is already, a page would begin anew.
    if (URL.parse(window.webContents.getURL())?.hash !== `#${page}`) void load(`#${page}`);
  };
  const isComing = () => isWanted && !isDrawn;
  const isSeen = () => isComing() || window.isVisible();
  const watched = () => {
    if (!isComing() && !(window.isFocused() && window.isVisible())) return null;
    return URL.parse(window.webContents.getURL())?.hash.replace(/^#/, '') || '/';
  };
  return { window, bring, isSeen, watched, goTo };
};

const keepPlace = (window: BrowserWindow, record: DesktopRecordStore, log: Log) => {
  const keep = () => {
    if (window.isDestroyed() || window.isMinimized()) return;
    record
      .change({ window: { place: window.getNormalBounds(), isMaximized: window.isMaximized() } })
      .catch((error: Error) => log.warn({ err: error }, 'the place of the window could not be kept'));
  };
  window.on('resized', keep);
  window.on('moved', keep);
  window.on('maximize', keep);
  window.on('unmaximize', keep);
};

/** No page leads elsewhere: links to the web open in the system's browser. */
const stayAtHome = (window: BrowserWindow, log: Log) => {
  const refuseElsewhere = (event: Electron.Event & { readonly url: string }) => {
    if (isPanelPage(event.url)) return;
    event.preventDefault();
    log.warn({ to: event.url }, 'a page wanted to lead elsewhere');
  };
  window.webContents.on('will-frame-navigate', refuseElsewhere);
  window.webContents.on('will-redirect', refuseElsewhere);
  window.webContents.setWindowOpenHandler(({ url }) => {
    if (URL.parse(url)?.protocol === 'https:') void shell.openExternal(url);
    return { action: 'deny' };
  });
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
};
