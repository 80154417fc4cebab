import { join } from 'node:path';
import { shell } from 'electron';
import type { Stack } from '../stack/stack.ts';
import type { Autostart } from './autostart.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

export interface DesktopCallsOptions {
  readonly home: string;
  readonly stack: Stack;
  readonly record: DesktopRecordStore;
  readonly autostart: Autostart;
  /** Something that the tray shows has changed. */
  readonly onChange: () => void;
}

type OwnCalls = Pick<
  DesktopHandlers,
  | 'stack.status'
  | 'stack.start'
  | 'stack.stop'
  | 'stack.restart'
  | 'settings.read'
  | 'settings.change'
  | 'logs.open'
>;

/** What pages ask of the stack and of the desktop's own settings. */
export const desktopCallsOf = (options: DesktopCallsOptions): OwnCalls => {
  const { home, stack, record, autostart, onChange } = options;
  const now = () => record.now().settings;
  const settings = async () => ({ ...now(), autostart: await autostart.isOn() });
  return {
    'stack.status': () => stack.status(),
    async 'stack.start'() {
      await stack.start();
      return stack.status();
    },
    async 'stack.stop'() {
      await stack.pause();
      return stack.status();
    },
    async 'stack.restart'({ component }) {
      await stack.restart(component);
      return stack.status();
    },
    'settings.read': settings,
    async 'settings.change'({ autostart: isOn, ...given }) {
      if (isOn !== undefined) await autostart.set(isOn);
      const { closeToTray = now().closeToTray, notices = now().notices } = given;
      await record.change({ settings: { closeToTray, notices } });
      onChange();
      return settings();
    },
    async 'logs.open'() {
      const refusal = await shell.openPath(join(home, 'logs'));
      if (refusal !== '') throw new Error(refusal);
      return {};
    },
  };
};
