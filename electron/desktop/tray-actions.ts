import { join } from 'node:path';
import { type App, Notification, shell } from 'electron';
import { product } from '#contracts/kernel/product.ts';
import type { Log } from '#runtime/log.ts';
import type { Stack } from '../stack/stack.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopWords } from './desktop-words.ts';
import type { TrayAction } from './tray-view.ts';

/** Performs what was chosen in the tray. @throws what a person must be told */
export const performTrayAction = async (
  wish: TrayAction,
  reach: {
    readonly app: App;
    readonly home: string;
    readonly stack: Stack;
    readonly open: () => void;
    readonly toggleAutostart: () => Promise<void>;
    readonly updates: { readonly checkAndSay: () => Promise<void> };
  },
): Promise<void> => {
  const { app, home, stack, open, toggleAutostart, updates } = reach;
  switch (wish.act) {
    case 'open':
      return open();
    case 'start':
      return stack.start();
    case 'stop':
      return stack.pause();
    case 'restart':
      return stack.restart();
    case 'restart-one':
      return stack.restart(wish.component);
    case 'logs': {
      const refusal = await shell.openPath(join(home, 'logs'));
      if (refusal !== '') throw new Error(refusal);
      return;
    }
    case 'check-updates':
      return updates.checkAndSay();
    case 'autostart':
      return toggleAutostart();
    case 'quit':
      return app.quit();
  }
};

/** Tells people once that closing the window has left everything running. */
export const tellOfTray = (record: DesktopRecordStore, words: DesktopWords, log: Log): void => {
  if (record.now().wasToldOfTray || !Notification.isSupported()) return;
  new Notification({ title: product.name, body: words.inTray }).show();
  record
    .change({ wasToldOfTray: true })
    .catch((error: Error) => log.warn({ err: error }, "could not store the desktop's settings"));
};
