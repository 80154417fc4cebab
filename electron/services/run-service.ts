import type { ComponentName, ComponentStatus } from '#contracts/operations/stack.ts';
import { leftRestoreWords } from '#runtime/backup/restore-journal.ts';
import { makeHome } from '#runtime/home.ts';
import { createLog } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { sleep } from '#runtime/sleep.ts';
import { controlRoutes } from '../control/control-routes.ts';
import { holdHome } from '../control/held-home.ts';
import { keepingRefusal } from '../control/start-refusal.ts';
import { openStack } from '../stack/stack.ts';
import { openServiceStack, type ServiceStack } from './service-stack.ts';
import { servicesHolder } from './services-holder.ts';

interface RunServiceOptions {
  readonly component: ComponentName;
  readonly home: string;
  readonly programsFolder: string;
  /** For what happens before there is a log. */
  readonly complain: (text: string) => void;
}

/** No person watches a service and presses "start": what waits for a person is tried again, but never in a hurry. */
const tryAgainMs = 60_000;
/** Less than the service host grants, so that we can report ourselves what delayed us. */
const stopDeadlineMs = 25_000;

const powerRefusal =
  'The stack runs as Windows Services. Control it with: castellan services start, stop or restart';

/**
 * The program of each Castellan service: the supervisor, with one component. The service host starts us and stops us with
 * Ctrl-C; we restart the component when it dies, and the host restarts us.
 */
export const runService = async (options: RunServiceOptions): Promise<void> => {
  const log = createLog({ component: `service-${options.component}` });
  await runProgram(
    async ({ resources, stopping, stop }) => {
      endWithHost(stop);
      /** Only one at a time, and none after the stop. */
      const tryAgain = async (stack: ServiceStack): Promise<void> => {
        await sleep(tryAgainMs, stopping);
        if (stopping.aborted) return;
        await stack.restart().catch((error: Error) => {
          stack.log.error({ err: error }, 'could not restart; will retry');
          return tryAgain(stack);
        });
      };
      const opened = Promise.withResolvers<ServiceStack>();
      const onChange = (status: ComponentStatus) => {
        if (status.state === 'failed' && status.nextTryAt === undefined) void opened.promise.then(tryAgain);
      };
      const stack = await openUnlessHopeless(options, resources, onChange, stopping);
      opened.resolve(stack);
      // The stop came while the stack was being opened, so nothing is started first.
      if (stopping.aborted) return;
      stopping.addEventListener('abort', () => void stack.stop());
      await stack.start();
    },
    { log, stopDeadlineMs },
  );
};

const hostLookMs = 1000;

/** A killed host leaves us behind, and Windows starts another one beside us. */
const endWithHost = (stop: (reason: string) => void): void => {
  const host = process.ppid;
  const look = setInterval(() => {
    try {
      process.kill(host, 0);
    } catch {
      clearInterval(look);
      stop('the service host is gone');
    }
  }, hostLookMs);
  look.unref();
};

/** The host immediately restarts what has ended, so a failed start waits before it reports the failure. */
const openUnlessHopeless = async (
  options: RunServiceOptions,
  resources: AsyncDisposableStack,
  onChange: (status: ComponentStatus) => void,
  stopping: AbortSignal,
): Promise<ServiceStack> => {
  try {
    return await open(options, resources, onChange);
  } catch (error) {
    options.complain(`${options.component}: ${(error as Error).message}`);
    await sleep(tryAgainMs, stopping);
    throw error;
  }
};

const open = async (
  { component, home, programsFolder, complain }: RunServiceOptions,
  resources: AsyncDisposableStack,
  onChange: (status: ComponentStatus) => void,
): Promise<ServiceStack> => {
  const node = process.execPath;
  const settings = { home, programsFolder, node, complain };
  if (component !== 'api') {
    const openIt = () => openServiceStack({ ...settings, component, onChange: loud });
    const stack = resources.use(await keepingRefusal(home, servicesHolder, openIt, component));
    function loud(status: ComponentStatus) {
      stack.log.info(status, `${status.name} is ${status.state}`);
      onChange(status);
    }
    return stack;
  }
  await makeHome(home);
  // A failed start must not hold the folder while it waits: nothing would answer there.
  await using opening = new AsyncDisposableStack();
  const { held, stack } = await keepingRefusal(home, servicesHolder, async () => {
    // Commands ask the API, so its service holds the data folder for all three.
    const held = opening.use(await holdHome(home, servicesHolder));
    const components = ['api'] as const;
    const more = { heldBy: servicesHolder, components, logName: 'service-api', onChange };
    return { held, stack: opening.use(await openStack({ ...settings, ...more })) };
  });
  if (held.leftRestore !== null) stack.log.warn(leftRestoreWords[held.leftRestore]);
  held.serve(controlRoutes({ stack, token: held.token, onStopped: () => undefined, powerRefusal }));
  resources.use(opening.move());
  return stack;
};
