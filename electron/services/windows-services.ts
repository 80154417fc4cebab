import { type ComponentName, componentNames } from '#contracts/operations/stack.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { awaitState, stopService } from '#runtime/windows/await-state.ts';
import { type ServiceControl, ServiceRefusedError } from '#runtime/windows/service-control.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';
import type { ServiceState } from '#runtime/windows/service-state.ts';
import { carryOut, type MoveOutcome } from './carry-out.ts';
import {
  type FoundService,
  type FoundServices,
  type MovePlan,
  planMoveToApp,
  planMoveToServices,
  type TakenName,
  takenNames,
} from './move-plan.ts';
import { type MoveContext, performStep } from './perform-step.ts';
import { type ServiceInstallation, serviceCommand } from './service-command.ts';
import { writeServiceEnvs } from './service-env.ts';
import { stopOrder } from './service-names.ts';

export type MoveReport = MoveOutcome | { readonly outcome: 'taken'; readonly names: readonly TakenName[] };

const find = async (control: ServiceControl, name: ComponentName): Promise<FoundService | null> => {
  const command = await control.command(serviceNames[name]);
  if (command === null) return null;
  const state = await control.state(serviceNames[name]);
  return { command, runs: state === 'running' || state === 'starting' };
};

const findServices = async (control: ServiceControl): Promise<FoundServices> => ({
  postgres: await find(control, 'postgres'),
  api: await find(control, 'api'),
  bot: await find(control, 'bot'),
});

const move = async (plan: MovePlan, context: MoveContext): Promise<MoveReport> =>
  plan.outcome === 'taken' ? plan : carryOut(plan.steps, performStep(context));

/**
 * From app mode to services, with everything in the data folder; if any step fails, nothing has changed.
 * @throws Windows's answer when it cannot even be asked
 */
export const moveToServices = async (
  context: MoveContext,
  installation: ServiceInstallation,
): Promise<MoveReport> => {
  const plan = planMoveToServices(await findServices(context.control), {
    home: installation.home,
    command: (component) => serviceCommand(component, installation),
    app: context.app !== null,
  });
  return move(plan, context);
};

/** From services to app mode, or to nothing that runs; a failed move is undone in the same way. */
export const moveToApp = async (context: MoveContext): Promise<MoveReport> => {
  const { control, home, app } = context;
  return move(planMoveToApp(await findServices(control), { home, app: app !== null }), context);
};

export interface InstalledService {
  readonly component: ComponentName;
  readonly service: string;
  readonly state: ServiceState;
}

/** The services of this data folder; null when it has none. Another data folder's are not reported. */
export const servicesOf = async (
  control: ServiceControl,
  home: string,
): Promise<readonly InstalledService[] | null> => (await surveyServices(control, home)).services;

interface ServicesSurvey {
  readonly services: readonly InstalledService[] | null;
  /** The names that another installation, or another program, has on this machine. */
  readonly taken: readonly TakenName[];
}

export const surveyServices = async (control: ServiceControl, home: string): Promise<ServicesSurvey> => {
  const commands = new Map(
    await Promise.all(
      componentNames.map(async (name) => [name, await control.command(serviceNames[name])] as const),
    ),
  );
  const taken = takenNames((name) => commands.get(name) ?? null, home);
  const isOurs = (name: ComponentName): boolean =>
    typeof commands.get(name) === 'string' && !taken.some(({ service }) => service === serviceNames[name]);
  if (!componentNames.some(isOurs)) return { services: null, taken };
  const services = componentNames.map(async (component): Promise<InstalledService> => {
    const service = serviceNames[component];
    return { component, service, state: isOurs(component) ? await control.state(service) : 'absent' };
  });
  return { services: await Promise.all(services), taken };
};

/** Starts the services with the current `.env`. @throws {ServiceRefusedError} */
export const startServices = async (control: ServiceControl, home: string): Promise<void> => {
  await renewEnvs(home);
  for (const name of componentNames) await control.start(serviceNames[name]);
  for (const name of componentNames) await awaitState(control, serviceNames[name], ['running']);
};

const renewEnvs = (home: string): Promise<void> =>
  readStackConfig(home)
    .then((config) => writeServiceEnvs(home, config))
    .catch(demandElevation);

/** Restarts one of them with the current `.env`; the others reconnect by themselves. @throws {ServiceRefusedError} */
export const restartService = async (
  control: ServiceControl,
  home: string,
  component: ComponentName,
): Promise<void> => {
  await renewEnvs(home);
  await stopService(control, serviceNames[component]);
  await control.start(serviceNames[component]);
  await awaitState(control, serviceNames[component], ['running']);
};

export const stopServices = async (control: ServiceControl): Promise<void> => {
  for (const name of stopOrder) await stopService(control, serviceNames[name]);
};

const accessDenied = 5;

/** An account that cannot open the data folder may not control the services either. */
const demandElevation = (error: NodeJS.ErrnoException): never => {
  const closed = ['EPERM', 'EACCES'].includes(error.code ?? '');
  throw closed ? new ServiceRefusedError('Castellan', accessDenied) : error;
};
