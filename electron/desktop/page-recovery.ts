import { type BrowserWindow, dialog, type RenderProcessGoneDetails } from 'electron';
import type { Log } from '#runtime/log.ts';
import { crashBudget } from './crash-budget.ts';
import type { DesktopWords } from './desktop-words.ts';

/** Brings a crashed page back; the stack does not notice. */
export const recoverFromCrashes = (window: BrowserWindow, words: DesktopWords, log: Log): void => {
  const mayReload = crashBudget();
  const recover = async ({ reason, exitCode }: RenderProcessGoneDetails) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.error({ reason, exitCode }, 'the page crashed');
    if (!mayReload(Date.now())) {
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
