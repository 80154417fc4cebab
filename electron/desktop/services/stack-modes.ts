import type { LeftRestore } from '#contracts/desktop/desktop-restore.ts';
import type {
  ServicesAction,
  ServicesProgress,
  ServicesResult,
} from '#contracts/desktop/desktop-services.ts';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { leftRestoreWords } from '#runtime/backup/restore-journal.ts';
import { logsFolder } from '#runtime/home.ts';
import { createLog } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { readStackConfig, stackSecrets } from '#runtime/stack-config.ts';
import type { ServiceControl } from '#runtime/windows/service-control.ts';
import { controlRoutes } from '../../control/control-routes.ts';
import { holdHome } from '../../control/held-home.ts';
import { keepingRefusal } from '../../control/start-refusal.ts';
import { ensureEnv } from '../../first-start/ensure-env.ts';
import { readLicenseServer } from '../../first-start/license-server.ts';
import { openLogFile } from '../../logs/log-file.ts';
import { askThrough, revokeDesktopAccess } from '../../services/desktop-access.ts';
import type { AppAction } from '../../services/desktop-wire.ts';
import { openServicesStack } from '../../services/services-stack.ts';
import { servicesOf } from '../../services/windows-services.ts';
import { openStack, type Stack } from '../../stack/stack.ts';
import type { AccessStore } from './access-store.ts';
import { createServicesWork, ServicesOrderError } from './services-work.ts';

const heldBy = 'the desktop';

/** Runs the stack as our children, and holds the data folder for it. Disposing stops the stack and frees the folder. */
const openAppMode = async (
  options: Omit<Parameters<typeof openStack>[0], 'heldBy'> & {
    /** Asked once no one else can take the data folder any more. */
    readonly hasServices: () => Promise<boolean>;
    /** Called when it was stopped over the control channel. */
    readonly onStopped: () => void;
    /** Called with what was done with what a killed restore had left. */
    readonly onLeftRestore: (left: LeftRestore) => void;
  },
): Promise<Stack> => {
  const { home, programsFolder, hasServices, onStopped } = options;
  await using opening = new AsyncDisposableStack();
  const { held, stack } = await keepingRefusal(home, heldBy, async () => {
    const held = opening.use(await holdHome(home, heldBy));
    if (await hasServices()) throw new StartupError(`The stack in ${home} runs as Windows Services.`);
    await ensureEnv(home, await readLicenseServer(programsFolder));
    return { held, stack: opening.use(await openStack({ ...options, heldBy })) };
  });
  if (held.leftRestore !== null) {
    stack.log.warn(leftRestoreWords[held.leftRestore]);
    options.onLeftRestore(held.leftRestore);
  }
  held.serve(controlRoutes({ stack, token: held.token, onStopped }));
  const resources = opening.move();
  return { ...stack, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};

/** The stack of a data folder, run by this program or by Windows, and the way from one to the other. */
export interface StackModes extends Stack {
  mode(): 'app' | 'services';
  /** Starts what is ours to start. */
  begin(): Promise<void>;
  progress(): ServicesProgress;
  /** What was done with what a killed restore had left, since this was opened; null: it left nothing. */
  leftRestore(): LeftRestore | null;
  change(act: ServicesAction): Promise<ServicesResult>;
}

interface Current {
  readonly mode: 'app' | 'services';
  readonly stack: Stack;
}

/** Opens the stack in its current mode; disposing stops it where we run it, and only stops watching where Windows does. */
export const openStackModes = async (
  options: Pick<
    Parameters<typeof openAppMode>[0],
    'home' | 'programsFolder' | 'node' | 'onStopped' | 'complain'
  > &
    Pick<Parameters<typeof createServicesWork>[0], 'user' | 'runElevated' | 'fault'> & {
      /** Null where there are no services. */
      readonly control: ServiceControl | null;
      readonly access: AccessStore;
      readonly onChange: () => void;
      readonly onProgress: (progress: ServicesProgress) => void;
      /** How often services are polled. */
      readonly pollMs?: { readonly calm: number; readonly busy: number };
    },
): Promise<StackModes> => {
  const { home, control, access, onChange } = options;
  await using opening = new AsyncDisposableStack();
  const ownLog = opening.use(
    openLogFile({
      folder: logsFolder(home),
      name: 'supervisor.log',
      onTrouble: (path, error) => options.complain(`${path} cannot be written: ${error.message}`),
    }),
  );
  let redact = createRedactor();
  const log = createLog({
    component: 'desktop',
    redact: (text) => redact(text),
    destination: { write: (line) => ownLog.write(line.trimEnd()) },
  });
  let current: Current | null = null;
  let shown: StackStatus | null = null;
  let closed = false;
  /** It was stopped for good. */
  let isOver = false;
  let left: LeftRestore | null = null;

  const hasServices = async () => control !== null && (await servicesOf(control, home)) !== null;
  const openServices = async (from: ServiceControl): Promise<Current> => {
    const stack = await openServicesStack({
      home,
      control: from,
      log,
      async order(order, component) {
        const result = await work.run(order, component);
        if (result.outcome !== 'done') throw new ServicesOrderError(result);
      },
      key: access.key,
      onKeyRefused() {
        access.refuse();
        tell();
      },
      onChange,
      ...(options.pollMs && { pollMs: options.pollMs }),
    });
    return { mode: 'services', stack };
  };
  const openApp = async (): Promise<Current> => ({
    mode: 'app',
    stack: await openAppMode({
      ...{ ...options, onChange, ownLog, hasServices },
      onLeftRestore(found) {
        left = found;
      },
    }),
  });
  const takeUp = async (): Promise<Current> => {
    const taken = control !== null && (await hasServices()) ? await openServices(control) : await openApp();
    current = taken;
    redact = createRedactor(stackSecrets(await readStackConfig(home)));
    onChange();
    return taken;
  };
  const letGo = async () => {
    if (!current) return;
    const { stack } = current;
    // It is shown until it is gone, so that its end can be watched.
    await stack[Symbol.asyncDispose]();
    shown = asStandingStill(stack.status());
    current = null;
    onChange();
  };
  const startApp = async (hadServices = access.state() !== 'missing') => {
    const { mode, stack } = current ?? (await takeUp());
    if (mode !== 'app') return;
    await stack.start();
    // After the services were given up, no key of any user's desktop may remain.
    if (!hadServices) return;
    await revokeDesktopAccess(askThrough(stack))
      .then(access.forget)
      .catch((error: Error) => log.warn({ err: error }, 'could not revoke the key of this desktop yet'));
  };
  const perform = async (act: AppAction) => {
    if (isOver) throw new StartupError('Castellan was stopped in the meantime.');
    const hadServices = current?.mode === 'services';
    await letGo();
    if (act === 'stop-app') return;
    if (await hasServices()) throw new StartupError('The services still exist.');
    await startApp(hadServices || undefined);
    if (status().state === 'failed')
      throw new StartupError('Castellan does not start in the desktop either.');
  };

  const work = createServicesWork({
    ...options,
    fault: () => (control === null ? 'Windows Services exist only on Windows.' : options.fault()),
    log: () => log,
    perform,
    onAccess: (key) =>
      access.keep(key).catch((error: Error) => log.warn({ err: error }, 'could not store a key')),
    async settle() {
      if (!current && !closed && !isOver) await startApp();
    },
    onProgress: () => tell(),
  });
  const progress = (): ServicesProgress => ({
    ...work.standing(),
    access: current?.mode === 'app' ? 'own' : access.state(),
  });
  const tell = () => options.onProgress(progress());
  const status = (): StackStatus => {
    const known = current?.stack.status() ?? shown;
    if (!known) throw new StartupError('Castellan is not set up yet.');
    return known;
  };
  const stack = async (): Promise<Stack> => {
    if (current) return current.stack;
    if (work.standing().work) throw new StartupError('The services are being changed.');
    return (await takeUp()).stack;
  };

  opening.defer(async () => {
    closed = true;
    await work.idle();
    await letGo();
  });
  await takeUp();
  const resources = opening.move();
  return {
    log,
    status,
    mode: () => current?.mode ?? 'services',
    async begin() {
      if (current?.mode === 'app') await startApp();
    },
    start: async () => (await stack()).start(),
    pause: async () => (await stack()).pause(),
    async stop(how) {
      isOver = true;
      await current?.stack.stop(how);
    },
    restart: async (name) => (await stack()).restart(name),
    onResume: () => current?.stack.onResume(),
    guardianPid: () => current?.stack.guardianPid() ?? null,
    callApi: async (call) => (await stack()).callApi(call),
    fetchApi: async (path, init) => (await stack()).fetchApi(path, init),
    progress,
    leftRestore: () => left,
    async change(act) {
      // Its data folder is about to change, or to have no owner.
      if (isOver) return { outcome: 'busy' };
      if (current?.mode !== 'services' || (act !== 'start' && act !== 'stop' && act !== 'restart'))
        return work.run(act);
      const { start, pause, restart } = current.stack;
      try {
        await { start, stop: pause, restart }[act]();
        return { outcome: 'done' };
      } catch (error) {
        if (error instanceof ServicesOrderError) return error.result;
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

/** The status between the two modes. */
const asStandingStill = (status: StackStatus): StackStatus => ({
  ...status,
  state: 'starting',
  components: status.components.map((component) => ({
    ...component,
    state: 'stopped',
    reason: null,
    pid: null,
  })),
});
