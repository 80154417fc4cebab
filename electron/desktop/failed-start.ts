import { type App, dialog } from 'electron';
import { product } from '#contracts/kernel/product.ts';
import { bundleFileName } from '../diagnostics/bundle-words.ts';
import { makeBundle } from '../diagnostics/make-bundle.ts';
import type { DesktopWords } from './desktop-words.ts';
import { programVersions } from './diagnostics-calls.ts';
import { askWhereToSave } from './save-dialog.ts';

/** Says why the desktop could not even be opened, and offers what helps others to help. Resolves when the user has read it. */
export const tellOfFailedStart = async (
  error: Error,
  app: App,
  home: string | null,
  words: DesktopWords,
): Promise<void> => {
  if (!app.isReady() || home === null) return dialog.showErrorBox(product.name, error.message);
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: product.name,
    message: words.notStarted,
    detail: `${error.message}\n\n${words.inBundle}`,
    buttons: [words.close, words.makeBundle],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response !== 1) return;
  try {
    const out = await askWhereToSave(app, null, bundleFileName(new Date()));
    if (out === null) return;
    const program = { madeBy: 'the desktop, which did not start', why: error.message, ...programVersions() };
    await makeBundle({
      ...{ out, home, program, stack: async () => null, addresses: null },
      crashFolder: app.getPath('crashDumps'),
    });
    await dialog.showMessageBox({
      type: 'info',
      title: product.name,
      message: words.bundleMade,
      detail: out,
    });
  } catch (failure) {
    dialog.showErrorBox(words.failed, (failure as Error).message);
  }
};
