import type { BrowserWindow } from 'electron';
import { type TellPage, tellPage } from './ipc-registrar.ts';
import { type MainWindow, openMainWindow } from './main-window.ts';

/** The panel's window, which comes and goes while the desktop runs. */
export interface PanelWindow {
  /** Null while there is none. */
  readonly now: () => BrowserWindow | null;
  /** Tells its page something; without a window the message is lost. */
  readonly tell: TellPage;
  /** Brings it to the front, or creates it. @param page of the panel, such as `/events`; without one the page stays */
  open(page?: string): void;
  /** A page knows one address of the API for its lifetime; a new address needs a new page. */
  renewWhenMoved(): void;
  isSeen(): boolean;
  /** The page that the user looks at, such as `/events`; null while they look at none. */
  watched(): string | null;
  destroy(): void;
}

export const panelWindow = (
  options: Omit<Parameters<typeof openMainWindow>[0], 'liveOrigin' | 'at'> & {
    /** The current origin of the API's WebSocket. */
    readonly liveOrigin: () => string;
    /** The panel's first page, such as `#/servers`; empty: its overview. */
    readonly at: string;
  },
): PanelWindow => {
  const { liveOrigin } = options;
  let { at } = options;
  let made: MainWindow | null = null;
  let madeFor = '';
  const there = () => (made && !made.window.isDestroyed() ? made : null);

  const open = (page?: string) => {
    const before = there();
    if (!before) madeFor = liveOrigin();
    const main = before ?? openMainWindow({ ...options, liveOrigin: madeFor, at });
    made = main;
    if (page !== undefined) main.goTo(page);
    main.bring();
  };
  return {
    now: () => there()?.window ?? null,
    tell(name, event) {
      const main = there();
      if (main) tellPage(main.window.webContents, name, event);
    },
    open,
    renewWhenMoved() {
      const main = there();
      if (!main || madeFor === liveOrigin()) return;
      const wasSeen = main.isSeen();
      // A window that has not loaded yet has no address.
      at = URL.parse(main.window.webContents.getURL())?.hash ?? at;
      main.window.destroy();
      if (wasSeen) open();
    },
    isSeen: () => there()?.isSeen() ?? false,
    watched: () => there()?.watched() ?? null,
    destroy: () => there()?.window.destroy(),
  };
};
