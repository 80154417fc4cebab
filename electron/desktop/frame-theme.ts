import { BrowserWindow, nativeTheme } from 'electron';
import type { Log } from '#runtime/log.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';
import { surfaces, themeSourceOf } from './window-theme.ts';

/** The colour behind a page until it is drawn. */
export const surfaceNow = (): string => surfaces[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'];

/** Windows draws the title bar, menus and dialogs in the page's theme, from the first moment and whenever it changes. */
export const followTheme = (record: DesktopRecordStore): void => {
  nativeTheme.themeSource = themeSourceOf(record.now().theme);
  nativeTheme.on('updated', () => {
    for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(surfaceNow());
  });
};

/** Receives the theme that a page reports. */
export const themeCalls = (record: DesktopRecordStore, log: Log): Pick<DesktopHandlers, 'theme.choose'> => ({
  'theme.choose'({ theme }) {
    nativeTheme.themeSource = themeSourceOf(theme);
    if (record.now().theme !== theme)
      record
        .change({ theme })
        .catch((error: Error) => log.warn({ err: error }, 'could not store the chosen theme'));
    return {};
  },
});
