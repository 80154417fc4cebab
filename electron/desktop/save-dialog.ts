import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type App, type BrowserWindow, dialog, type SaveDialogOptions } from 'electron';

/**
 * Asks where to save a .zip: by default in a place where people see it.
 * @param window that it belongs to, if there is one
 * @returns null when the user cancelled
 */
export const askWhereToSave = async (
  app: App,
  window: BrowserWindow | null,
  name: string,
): Promise<string | null> => {
  const places = [app.getPath('desktop'), app.getPath('documents')];
  const options: SaveDialogOptions = {
    defaultPath: join(places.find((place) => existsSync(place)) ?? app.getPath('home'), name),
    filters: [{ name: 'ZIP', extensions: ['zip'] }],
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  };
  const { canceled, filePath } = window
    ? await dialog.showSaveDialog(window, options)
    : await dialog.showSaveDialog(options);
  if (canceled || !filePath) return null;
  if (filePath.toLowerCase().endsWith('.zip')) return filePath;
  // Linux does not add an extension, and has asked about replacing a different file than this.
  const whole = `${filePath}.zip`;
  return existsSync(whole) ? `${filePath}-${name}` : whole;
};
