import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { systemEnv } from '#runtime/system-env.ts';
import type { TestScreen } from './screen.ts';

const trayIcon = z.object({
  tooltip: z.string(),
  /** A hash of the icon's pixels. */
  pixels: z.string(),
  menu: z.array(z.object({ label: z.string(), enabled: z.boolean(), checked: z.boolean().nullable() })),
});
export type TrayIcon = z.infer<typeof trayIcon>;

const shownNotice = z.object({
  title: z.string(),
  body: z.string(),
  /** It was neither clicked nor withdrawn. */
  open: z.boolean(),
});
export type ShownNotice = z.infer<typeof shownNotice>;

/** A real system tray and notification server that can be read and clicked from outside, like a desktop environment. */
export interface TrayHost extends AsyncDisposable {
  /** Null while there is no icon. */
  read(): Promise<TrayIcon | null>;
  click(label: string): Promise<void>;
  /** Clicks the icon itself. */
  activate(): Promise<void>;
  /** Every notification that was ever shown, the oldest first. */
  notices(): Promise<readonly ShownNotice[]>;
  /** Clicks a notification that is still shown. */
  press(title: string): Promise<void>;
}

const answer = z.discriminatedUnion('event', [
  z.object({ event: z.enum(['up', 'none', 'done']) }),
  z.object({ event: z.literal('failed'), reason: z.string() }),
  trayIcon.extend({ event: z.literal('item') }),
  z.object({ event: z.literal('notices'), notices: z.array(shownNotice) }),
]);

/** Must be opened before the program whose icon is tested. */
export const openTrayHost = async ({ env }: TestScreen): Promise<TrayHost> => {
  // Debian's packages are for its own Python.
  const child = spawn('/usr/bin/python3', [join(import.meta.dirname, 'tray-host.py')], {
    env: { ...systemEnv(), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the tray of the test has ended');
    const told = answer.parse(JSON.parse(value));
    if (told.event === 'failed') throw new Error(told.reason);
    return told;
  };
  await next();
  const ask = (command: string) => {
    child.stdin.write(`${command}\n`);
    return next();
  };
  return {
    async read() {
      const told = await ask('read');
      return told.event === 'item' ? told : null;
    },
    click: async (label) => void (await ask(`click ${label}`)),
    activate: async () => void (await ask('activate')),
    async notices() {
      const told = await ask('notices');
      return told.event === 'notices' ? told.notices : [];
    },
    press: async (title) => void (await ask(`press ${title}`)),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
};
