import { type BrowserWindow, dialog, type RenderProcessGoneDetails } from 'electron';
import type { Log } from '#runtime/log.ts';
import { crashBudget } from './crash-budget.ts';
import type { DesktopWords } from './desktop-words.ts';

/** A page that has crashed comes back; the stack never notices. */
export const recoverFromCrashes = (window: BrowserWindow, words: DesktopWords, log: Log): void => {
  const mayReload = crashBudget();
  const recover = async ({ reason, exitCode }: RenderProcessGoneDetails) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.error({ reason, exitCode }, 'the page has crashed');
    if (!mayReload(Date.now())) {
      await dialog.showMessageBox(window, {
        type: 'error',
        message: words.pageCrashed,
        buttons: [words.tryAgain],
      });
    }
    // Within the event itself it would take the whole program along.
    setImmediate(() => {
      if (!window.isDestroyed()) window.webContents.reload();
    });
  };
  window.webContents.on('render-process-gone', (_event, details) => void recover(details));
};
