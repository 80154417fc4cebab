import { type BrowserWindow, dialog } from 'electron';

/** The system's own dialog; null when nothing was chosen, or there is no window to ask over. */
export const askForFolder = async (window: BrowserWindow | null, from: string): Promise<string | null> => {
  if (!window || window.isDestroyed()) return null;
  const { filePaths } = await dialog.showOpenDialog(window, {
    defaultPath: from,
    properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
  });
  return filePaths[0] ?? null;
};
