import { watch } from 'node:fs';
import type { Log } from '../../log.ts';
import { recordFileName } from './record-store.ts';

const rereadMs = 5000;

/**
 * Calls `look` when license.json may have changed: immediately on the folder's events, and every five seconds, since such events
 * get lost on network drives. It uses real time: it watches the disk, not the license.
 */
export const watchRecord = (home: string, look: () => void, log: Log): Disposable => {
  const stack = new DisposableStack();
  const timer = setInterval(look, rereadMs).unref();
  stack.defer(() => clearInterval(timer));
  try {
    const watcher = watch(home, { persistent: false }, (_event, file) => {
      if (file === recordFileName) look();
    });
    watcher.on('error', (error) => log.debug({ err: error }, 'the data folder is no longer watched'));
    stack.defer(() => watcher.close());
  } catch (error) {
    log.debug({ err: error }, 'could not watch the data folder; still re-reading license.json');
  }
  return stack;
};
