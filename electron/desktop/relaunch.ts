import type { App } from 'electron';
import * as z from 'zod';

const startArguments = z.object({ args: z.array(z.string()) });

/** What a start tells the one that is there already: Electron's own account of it is reordered and has more in it. */
export const ownArguments = (): z.infer<typeof startArguments> => ({ args: process.argv.slice(1) });

let isAwaited = false;

/**
 * The program was started while this one is ending, and that start left it to this one: relaunches once this process is
 * gone, since two cannot share a home.
 * @param appImage the file, where it runs from one: its own folder goes away with it
 */
export const relaunchAfterExit = (app: App, said: unknown, appImage: string | undefined): void => {
  if (isAwaited) return;
  isAwaited = true;
  const args = startArguments.safeParse(said).data?.args ?? ownArguments().args;
  app.once('quit', () => app.relaunch({ args, ...(appImage && { execPath: appImage }) }));
};
