import { type BrowserWindow, dialog } from 'electron';
import { product } from '#contracts/kernel/product.ts';
import type { DesktopWords } from './desktop-words.ts';

/** The system's own dialog, over the window that asks; Enter alone confirms nothing. */
export const askConfirmation = async (
  window: BrowserWindow | null,
  words: DesktopWords['stepUp'],
): Promise<boolean> => {
  if (!window || window.isDestroyed()) return false;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: product.name,
    message: words.question,
    detail: words.detail,
    buttons: [words.cancel, words.confirm],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
};
