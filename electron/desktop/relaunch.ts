import type { App } from 'electron';
import * as z from 'zod';
import { withoutJumpAct } from '#contracts/kernel/jump-acts.ts';

const startArguments = z.object({ args: z.array(z.string()) });

/** What a start tells the running instance: Electron reorders its own copy of the arguments and adds to it. */
export const ownArguments = (): z.infer<typeof startArguments> => ({ args: process.argv.slice(1) });

let isAwaited = false;

/**
 * Handles a start that arrived while this program is ending and that left the work to it: relaunches once this process is
 * gone, since two cannot share a data folder.
 * @param appImage the file of an AppImage, whose own folder disappears with it
 */
export const relaunchAfterExit = (app: App, said: unknown, appImage: string | undefined): void => {
  if (isAwaited) return;
  isAwaited = true;
  const args = startArguments.safeParse(said).data?.args ?? withoutJumpAct(ownArguments().args);
  app.once('quit', () => app.relaunch({ args, ...(appImage && { execPath: appImage }) }));
};
