import type { Log } from '#runtime/log.ts';
import { registerRestart } from '../elevation/windows-calls.ts';
import { hiddenArgument } from './autostart.ts';

/** Makes Windows start the program again, in the tray, after its restart manager or a Windows update has ended it. */
export const startAgainAfterUpdates = (programsFolder: string, log: Pick<Log, 'info' | 'warn'>): void => {
  if (process.platform !== 'win32') return;
  try {
    const isRegistered = registerRestart(programsFolder, hiddenArgument);
    log.info({ isRegistered }, 'registered the desktop for a restart by Windows');
  } catch (error) {
    // Without this it starts as usual: by autostart, or by hand.
    log.warn({ err: error }, 'could not register the desktop for a restart by Windows');
  }
};
