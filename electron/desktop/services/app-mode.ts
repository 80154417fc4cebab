import { StartupError } from '#runtime/program.ts';
import { controlRoutes } from '../../control/control-routes.ts';
import { holdHome } from '../../control/held-home.ts';
import { ensureEnv } from '../../first-start/ensure-env.ts';
import { readLicenseServer } from '../../first-start/license-server.ts';
import { openStack, type Stack, type StackOptions } from '../../stack/stack.ts';

const heldBy = 'the desktop';

export interface AppModeOptions extends Omit<StackOptions, 'heldBy'> {
  /** Asked once no one else can take the data folder any more. */
  readonly hasServices: () => Promise<boolean>;
  /** Called when it was stopped over the control channel. */
  readonly onStopped: () => void;
}

/** Runs the stack as our children, and holds the data folder for it. Disposing stops the stack and frees the folder. */
export const openAppMode = async (options: AppModeOptions): Promise<Stack> => {
  const { home, programsFolder, hasServices, onStopped } = options;
  await using opening = new AsyncDisposableStack();
  const held = opening.use(await holdHome(home, heldBy));
  if (await hasServices()) throw new StartupError(`The stack in ${home} runs as Windows Services.`);
  await ensureEnv(home, await readLicenseServer(programsFolder));
  const stack = opening.use(await openStack({ ...options, heldBy }));
  held.serve(controlRoutes({ stack, token: held.token, onStopped }));
  const resources = opening.move();
  return { ...stack, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};
