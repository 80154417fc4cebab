import { StartupError } from '#runtime/program.ts';
import { controlRoutes } from '../../control/control-routes.ts';
import { holdHome } from '../../control/held-home.ts';
import { ensureEnv } from '../../first-start/ensure-env.ts';
import { readLicenseServer } from '../../first-start/license-server.ts';
import { openStack, type Stack, type StackOptions } from '../../stack/stack.ts';

const heldBy = 'the desktop';

export interface AppModeOptions extends Omit<StackOptions, 'heldBy'> {
  /** Asked once nobody else can take the home any more. */
  readonly hasServices: () => Promise<boolean>;
  /** It was stopped over the control channel. */
  readonly onStopped: () => void;
}

/** The stack as children of ours, and the home that nobody else may run meanwhile. Disposing stops it and frees the home. */
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
