import { join } from 'node:path';
import {
  BrowserWindow,
  dialog,
  Menu,
  type MenuItemConstructorOptions,
  type RenderProcessGoneDetails,
  screen,
  shell,
  type WebContents,
} from 'electron';
import { liveOriginArgument } from '#contracts/desktop/desktop-channels.ts';
import { desktopOrigin } from '#contracts/identity/tickets.ts';
import { product } from '#contracts/kernel/product.ts';
import type { Log } from '#runtime/log.ts';
import { crashBudget } from './crash-budget.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopWords } from './desktop-words.ts';
import { surfaceNow } from './frame-theme.ts';
import { isPanelPage } from './panel-scheme.ts';
import { type Area, fitToScreens } from './window-place.ts';
import { zoomAsked } from './zoom-keys.ts';

/** Reloads a crashed page; the stack does not notice. */
const recoverFromCrashes = (window: BrowserWindow, words: DesktopWords, log: Log): void => {
  const mayReload = crashBudget();
  const recover = async ({ reason, exitCode }: RenderProcessGoneDetails) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.error({ reason, exitCode }, 'the page crashed');
    if (!mayReload(performance.now())) {
      await dialog.showMessageBox(window, {
        type: 'error',
        message: words.pageCrashed,
        buttons: [words.tryAgain],
      });
    }
    // Within the event handler it would crash the whole program.
    setImmediate(() => {
      if (!window.isDestroyed()) window.webContents.reload();
    });
  };
  window.webContents.on('render-process-gone', (_event, details) => void recover(details));
};

/** What a browser window would offer: zooming by keys, and a menu on right-clicked text. */
const lendKeys = (page: WebContents, words: DesktopWords): void => {
  page.on('before-input-event', (event, input) => {
    const level = zoomAsked(input, page.getZoomLevel());
    if (level === null) return;
    event.preventDefault();
    page.setZoomLevel(level);
  });
  page.on('context-menu', (_event, { isEditable, selectionText, editFlags }) => {
    if (!isEditable && selectionText.trim() === '') return;
    const items: MenuItemConstructorOptions[] = [
      { role: 'copy', label: words.copy, enabled: editFlags.canCopy },
    ];
    if (isEditable) {
      items.unshift({ role: 'cut', label: words.cut, enabled: editFlags.canCut });
      items.push({ role: 'paste', label: words.paste, enabled: editFlags.canPaste });
    }
    items.push({ type: 'separator' }, { role: 'selectAll', label: words.selectAll });
    Menu.buildFromTemplate(items).popup();
  });
};

export interface MainWindow {
  readonly window: BrowserWindow;
  /** Brings it to the front, as soon as there is something to see. */
  bring(): void;
  /** Whether it is on screen, or will be as soon as it is drawn. */
  isSeen(): boolean;
  /** The page that the user looks at, or will as soon as it is drawn, such as `/events`; null while they look at none. */
  watched(): string | null;
  /** Opens another page of the panel, such as `/events`. */
  goTo(page: string): void;
}

/** The area of each screen that windows can use, the main one first. */
const workAreas = (): [Area, ...Area[]] => {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main.workArea, ...others.map(({ workArea }) => workArea)];
};

/** The desktop's only window; it shows our own pages and nothing else. */
export const openMainWindow = (options: {
  readonly record: DesktopRecordStore;
  /** Holds preload.cjs. */
  readonly appFolder: string;
  readonly liveOrigin: string;
  /** The panel's first page, such as `#/servers`; empty: its overview. */
  readonly at?: string;
  /** The window is on screen, and has a button in the taskbar again. */
  readonly onShow: () => void;
  /** Asked when the user closes it. */
  readonly onClose: () => 'close' | 'hide' | 'stay';
  readonly words: DesktopWords;
  readonly log: Log;
  /** In a package there are no developer tools. */
  readonly hasDevTools: boolean;
}): MainWindow => {
  const { record, log, words } = options;
  const kept = record.now().window;
  const { place, smallest } = fitToScreens(kept?.place ?? null, workAreas());
  const window = new BrowserWindow({
    ...place,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    backgroundColor: surfaceNow(),
    // On Windows the program file holds it.
    ...(process.platform === 'linux' && { icon: join(options.appFolder, 'icons', 'castellan.png') }),
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
    // The screen it was on may be gone since it was hidden.
    if (!window.isVisible()) returnToScreen(window);
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
  // A window that shows nothing is better than none.
  window.webContents.once('did-fail-load', drawn);
  window.webContents.once('render-process-gone', drawn);

  keepPlace(window, record, log);
  keepOnScreens(window);
  window.on('show', options.onShow);
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
      // Also when the window was closed while it loaded; a page that crashed comes back by itself.
      log.warn({ err: error }, 'could not load the page');
    });
  void load(options.at ?? '');
  const goTo = (page: string) => {
    // Loading the current page again would reset it.
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
      .catch((error: Error) => log.warn({ err: error }, 'could not store the window position'));
  };
  window.on('resized', keep);
  window.on('moved', keep);
  window.on('maximize', keep);
  window.on('unmaximize', keep);
};

/** Moves the window to where it is visible and fits, unless it already is. */
const returnToScreen = (window: BrowserWindow) => {
  if (window.isDestroyed() || window.isMaximized() || window.isFullScreen()) return;
  const before = window.getNormalBounds();
  const { place, smallest } = fitToScreens(before, workAreas());
  window.setMinimumSize(smallest.width, smallest.height);
  const isThere = (['x', 'y', 'width', 'height'] as const).every((key) => place[key] === before[key]);
  if (!isThere) window.setBounds(place);
};

/** Handles a screen that disappears or changes its resolution or scale, and a taskbar that moves. */
const keepOnScreens = (window: BrowserWindow) => {
  const onChange = () => {
    // A hidden window is checked when it is shown.
    if (!window.isDestroyed() && window.isVisible() && !window.isMinimized()) returnToScreen(window);
  };
  screen.on('display-removed', onChange);
  screen.on('display-metrics-changed', onChange);
  window.once('closed', () => {
    screen.off('display-removed', onChange);
    screen.off('display-metrics-changed', onChange);
  });
};

/** No page navigates elsewhere: links to the web open in the system's browser. */
const stayAtHome = (window: BrowserWindow, log: Log) => {
  const refuseElsewhere = (event: Electron.Event & { readonly url: string }) => {
    if (isPanelPage(event.url)) return;
    event.preventDefault();
    log.warn({ to: event.url }, 'blocked a page from navigating away');
  };
  window.webContents.on('will-frame-navigate', refuseElsewhere);
  window.webContents.on('will-redirect', refuseElsewhere);
  window.webContents.setWindowOpenHandler(({ url }) => {
    if (URL.parse(url)?.protocol === 'https:') void shell.openExternal(url);
    return { action: 'deny' };
  });
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
};
