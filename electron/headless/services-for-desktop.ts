import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceStep, ServicesAction, ServicesResult } from '#contracts/desktop/desktop-services.ts';
import { desktopAccessHttp } from '#contracts/identity/desktop-access.ts';
import type { WindowsAnswer } from '#contracts/kernel/windows-codes/windows-answer.ts';
import type { ComponentName } from '#contracts/operations/stack.ts';
import { type ServiceControl, ServiceRefusedError } from '#runtime/windows/service-control.ts';
import { type RunSystemProgram, SystemProgramError } from '#runtime/windows/system-program.ts';
import { ApiUnavailableError } from '../control/control-client.ts';
import { type AskAsOwner, makeDesktopAccess } from '../services/desktop-access.ts';
import { connectToDesktop, type DesktopConnection } from '../services/desktop-connection.ts';
import { holdForMove, type MoveHold } from '../services/hold-for-move.ts';
import type { MoveStep } from '../services/move-plan.ts';
import type { AppStack } from '../services/perform-step.ts';
import type { ServiceInstallation } from '../services/service-command.ts';
import {
  type MoveReport,
  moveToApp,
  moveToServices,
  restartService,
  startServices,
  stopServices,
} from '../services/windows-services.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure } from './exit-codes.ts';
import { askLocalApi } from './local-api.ts';
import { demandInstalled, demandWindows, prepareInstallation, type Variables } from './services.ts';

export interface ForDesktopOptions {
  /** The user of the desktop. */
  readonly user: string;
  readonly component?: ComponentName;
}

/** `castellan services for-desktop`: what the desktop runs with an administrator's rights, with progress reported to it. */
export const changeServicesForDesktop = async (
  context: CommandContext,
  act: ServicesAction,
  wire: string,
  given: ForDesktopOptions & { readonly variables: Variables },
): Promise<void> => {
  const { user, component, variables } = given;
  const result = await serveDesktop(wire, act, {
    home: context.home,
    user,
    component,
    control: demandWindows(),
    prepare: () => prepareInstallation(context, variables),
  });
  if (result.outcome !== 'done') throw new CommandFailure('It did not succeed. The desktop shows why.');
};

interface Change {
  readonly home: string;
  readonly user: string;
  readonly component?: ComponentName | undefined;
  readonly control: ServiceControl;
  /** What the services will run; rejects when they must not be made. */
  readonly prepare: () => Promise<ServiceInstallation>;
  readonly run?: RunSystemProgram;
}

/** Makes the change for the desktop that listens. Every failure is a value, since the desktop has to receive it. */
export const serveDesktop = async (
  wire: string,
  act: ServicesAction,
  change: Change,
): Promise<ServicesResult> => {
  await using desktop = await connectToDesktop(wire);
  const result = await acts[act]({ ...change, desktop }).catch(
    (error: Error): ServicesResult => ({
      outcome: 'failed',
      fault: faultOf(error),
      detail: error.message,
      ...answerOf(error),
    }),
  );
  desktop.end(result);
  return result;
};

interface Told extends Change {
  readonly desktop: DesktopConnection;
}

const done: ServicesResult = { outcome: 'done' };

const acts: Readonly<Record<ServicesAction, (change: Told) => Promise<ServicesResult>>> = {
  async install(change) {
    const { home, control, desktop, run } = change;
    const installation = await change.prepare();
    await using held = new AsyncDisposableStack();
    let hold: MoveHold | null = null;
    // Between app mode and services, no other program may take the data folder.
    const app: AppStack = {
      async stop() {
        await desktop.ask('stop-app');
        hold = held.use(await holdForMove(home));
      },
      async start() {
        await hold?.[Symbol.asyncDispose]();
        await desktop.ask('start-app');
      },
    };
    const onStep = async (step: MoveStep) => {
      desktop.step(shown(step));
      await hold?.before(step);
    };
    const result = resultOf(
      await moveToServices({ home, control, app, onStep, ...(run && { run }) }, installation),
    );
    // Without a license the API refuses. For whatever reason, the desktop shows that it has no key, and offers to ask again.
    if (result.outcome === 'done') await letIn(change).catch(() => undefined);
    return result;
  },

  async uninstall({ home, control, desktop, run }) {
    const app: AppStack = { stop: () => desktop.ask('stop-app'), start: () => desktop.ask('start-app') };
    const onStep = (step: MoveStep) => desktop.step(shown(step));
    return resultOf(await moveToApp({ home, control, app, onStep, ...(run && { run }) }));
  },

  async start({ home, control, desktop }) {
    await demandInstalled(control, home);
    desktop.step({ kind: 'start', component: null });
    await startServices(control, home);
    return done;
  },

  async stop({ home, control, desktop }) {
    await demandInstalled(control, home);
    desktop.step({ kind: 'stop', component: null });
    await stopServices(control);
    return done;
  },

  async restart(change) {
    const { home, control, desktop, component } = change;
    if (component !== undefined) {
      await demandInstalled(control, home);
      desktop.step({ kind: 'start', component });
      await restartService(control, home, component);
      return done;
    }
    await acts.stop(change);
    return acts.start(change);
  },

  async access(change) {
    await demandInstalled(change.control, change.home);
    await letIn(change);
    return done;
  },
};

const letIn = async ({ home, desktop, user }: Told): Promise<void> => {
  desktop.step({ kind: 'make-access', component: null });
  const ask = askPatiently(home);
  // Reads can be repeated until the supervisor has seen its API; a key is requested once.
  await ask(desktopAccessHttp.list);
  desktop.access(await makeDesktopAccess(ask, user));
};

const apiDeadlineMs = 30_000;
const apiPauseMs = 250;

/**
 * A new API already answers other clients a moment before its own supervisor has seen it. Only reads are repeated: for other
 * calls no one knows whether they were performed.
 */
const askPatiently = (home: string): AskAsOwner => {
  const until = performance.now() + apiDeadlineMs;
  const ask: AskAsOwner = (endpoint, said) =>
    askLocalApi(home, endpoint, said).catch(async (error: unknown) => {
      const mayAsk = endpoint.method === 'GET' && performance.now() < until;
      if (!(mayAsk && error instanceof ApiUnavailableError)) throw error;
      await delay(apiPauseMs);
      return ask(endpoint, said);
    });
  return ask;
};

const shown = (step: MoveStep): ServiceStep => ({
  kind: step.kind,
  component: 'component' in step ? step.component : null,
});

const faultOf = (error: unknown) =>
  error instanceof ServiceRefusedError && error.reason !== 'failed' ? error.reason : 'other';

const answerOf = (error: unknown): { readonly answer?: WindowsAnswer } => {
  const refused = error instanceof ServiceRefusedError || error instanceof SystemProgramError;
  return refused && error.answer ? { answer: error.answer } : {};
};

const resultOf = (report: MoveReport): ServicesResult => {
  if (report.outcome === 'done') return done;
  if (report.outcome === 'taken') return { outcome: 'taken', names: [...report.names] };
  return {
    outcome: 'undone',
    step: shown(report.failed),
    fault: faultOf(report.error),
    detail: report.error.message,
    ...answerOf(report.error),
    left: report.left.map(({ step, error }) => ({ step: shown(step), detail: error.message })),
  };
};
