import type { Updates } from '../../updates/updates.ts';
import type { DesktopHandlers } from '../ipc-registrar.ts';

export type UpdatesHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `updates.${string}`>>;

/** What the page about updates asks for. */
export const updatesCallsOf = (updates: Updates, restoreBackup: () => Promise<void>): UpdatesHandlers => {
  const after = (work: () => unknown) => async () => {
    await work();
    return updates.state();
  };
  return {
    'updates.state': updates.state,
    'updates.change': ({ mode }) => after(() => updates.setMode(mode))(),
    'updates.check': after(updates.check),
    // It takes a while, and reports its own progress.
    'updates.download': after(() => void updates.download()),
    'updates.cancel': after(updates.cancel),
    'updates.skip': after(updates.skip),
    'updates.install': after(updates.install),
    'updates.goBack': after(updates.goBack),
    'updates.restoreBackup': after(restoreBackup),
    'updates.dismiss': after(updates.dismiss),
  };
};
