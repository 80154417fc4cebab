import type { ComponentName } from '#contracts/operations/stack.ts';
import { demandDataFolder } from '#runtime/folder-check/demand-folder.ts';
import { makeHome } from '#runtime/home.ts';
import { isThere } from '#runtime/path-access.ts';
import { printable } from '#runtime/printable.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import {
  type ServiceControl,
  ServiceRefusedError,
  windowsServices,
} from '#runtime/windows/service-control.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { readLicenseServer } from '../first-start/license-server.ts';
import { holdForMove } from '../services/hold-for-move.ts';
import type { MoveStep } from '../services/move-plan.ts';
import { demandServiceHost, installationFault, programFoldersOf } from '../services/per-machine.ts';
import { runService } from '../services/run-service.ts';
import type { ServiceInstallation } from '../services/service-command.ts';
import {
  type InstalledService,
  type MoveReport,
  moveToApp,
  moveToServices,
  restartService,
  servicesOf,
  startServices,
  stopServices,
} from '../services/windows-services.ts';
import { askApi } from '../stack/api-health.ts';
import type { CommandContext, JsonOption } from './command-context.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** `castellan services install`: from here on Windows starts the stack, even when no user is signed in. */
export const installServices = async (context: CommandContext, variables: Variables): Promise<void> => {
  const { home, terminal } = context;
  const control = demandWindows();
  const installation = await prepareInstallation(context, variables, makeHome);
  await using hold = await holdForMove(home);
  const say = progress(terminal);
  const onStep = (step: MoveStep) => {
    say(step);
    return hold.before(step);
  };
  const moveContext = { home, control, app: null, onStep };
  answer(await refusing(() => moveToServices(moveContext, installation)), home);
  terminal.say('Castellan now runs as Windows Services.');
};

/**
 * What must hold before anything is changed.
 * @param take makes the data folder, or refuses it; nothing for the desktop, which has done that as another account
 * @throws {CommandFailure}
 */
export const prepareInstallation = async (
  { home, programsFolder, terminal }: CommandContext,
  variables: Variables,
  take: (home: string) => Promise<void> = async () => undefined,
): Promise<ServiceInstallation> => {
  const installation = { home, programsFolder, node: process.execPath };
  const fault = installationFault(installation, programFoldersOf(variables));
  if (fault !== null) throw new CommandFailure(fault);
  await demandServiceHost(programsFolder);
  // Such as a folder that Windows encrypts for this account alone.
  for (const words of await demandDataFolder(home, { variables, programsFolder })) terminal.say(words);
  await take(home);
  for (const words of await ensureEnv(home, await readLicenseServer(programsFolder))) terminal.say(words);
  return installation;
};

/** `castellan services uninstall`: everything in the data folder stays. */
export const uninstallServices = async ({ home, terminal }: CommandContext): Promise<void> => {
  const control = demandWindows();
  const moveContext = { home, control, app: null, onStep: progress(terminal) };
  answer(await refusing(() => moveToApp(moveContext)), home);
  terminal.say(`The services were removed. Your data in ${home} was not changed.`);
};

export const startInstalledServices = async ({ home, terminal }: CommandContext): Promise<void> => {
  const control = demandWindows();
  await demandInstalled(control, home);
  await refusing(() => startServices(control, home));
  terminal.say('Started.');
};

export const stopInstalledServices = async ({ home, terminal }: CommandContext): Promise<void> => {
  const control = demandWindows();
  await demandInstalled(control, home);
  await refusing(() => stopServices(control));
  terminal.say('Stopped.');
};

/** `castellan services restart`: reads `.env` again. */
export const restartInstalledServices = async (context: CommandContext): Promise<void> => {
  await stopInstalledServices(context);
  await startInstalledServices(context);
};

/** Restarts one of them, in the middle of another command. */
export const restartInstalledService = (home: string, component: ComponentName): Promise<void> =>
  refusing(() => restartService(demandWindows(), home, component));

/** `castellan services status`: what Windows says, and what the API itself says. */
export const servicesStatus = async (
  { home, terminal }: CommandContext,
  { json }: JsonOption,
): Promise<void> => {
  const services = await demandInstalled(demandWindows(), home);
  const { apiOrigin } = await readStackConfig(home);
  const health = await askApi(apiOrigin, AbortSignal.timeout(askMs)).catch(() => null);
  if (json) return terminal.say(JSON.stringify({ services, health }, null, 2));
  const lines = services.map(({ service, state }) => `  ${service.padEnd(20)}${state}`);
  const said = health ? [health.condition, health.license, health.detail] : ['it does not answer'];
  const api = said.filter((part) => part !== null && part !== undefined).join(', ');
  terminal.say([...lines, `  The API says: ${printable(api)}`].join('\n'));
};

/** `castellan services run`: only the service host starts this. */
export const runInstalledService = (
  { home, programsFolder, terminal }: CommandContext,
  component: ComponentName,
): Promise<void> => runService({ component, home, programsFolder, complain: terminal.complain });

/** App mode and services on one data folder would stop each other's database. */
export const demandNoServices = async (home: string): Promise<void> => {
  if (process.platform !== 'win32' || !isThere(stackEnvPath(home), home)) return;
  if ((await servicesOf(windowsServices(), home)) === null) return;
  throw new CommandFailure(
    `The stack in ${home} runs as Windows Services. Start it with: castellan services start. Or remove them with: ` +
      'castellan services uninstall',
    exitCodes.holder,
  );
};

const askMs = 5000;

export const demandWindows = (): ServiceControl => {
  if (process.platform !== 'win32')
    throw new CommandFailure('Windows Services exist only on Windows.', exitCodes.usage);
  return windowsServices();
};

export const demandInstalled = async (
  control: ServiceControl,
  home: string,
): Promise<readonly InstalledService[]> => {
  const services = await servicesOf(control, home);
  if (services === null)
    throw new CommandFailure(
      `No services are installed for ${home}. Install them with: castellan services install`,
      exitCodes.holder,
    );
  return services;
};

const stepWords: Readonly<Record<MoveStep['kind'], string>> = {
  'stop-app': 'stopping the stack',
  'start-app': 'starting the stack',
  create: 'installing',
  delete: 'removing',
  start: 'starting',
  stop: 'stopping',
  'write-envs': 'writing the settings of the services',
  'remove-envs': 'removing the settings of the services',
  'grant-rights': 'giving the services their rights',
  'revoke-rights': 'taking back the rights of the services',
  'await-health': 'waiting until the API is healthy',
};

const inWords = (step: MoveStep): string =>
  'component' in step ? `${stepWords[step.kind]} ${serviceNames[step.component]}` : stepWords[step.kind];

const progress =
  (terminal: Terminal) =>
  (step: MoveStep): void =>
    terminal.say(`  ${inWords(step)} …`);

const answer = (report: MoveReport, home: string): void => {
  if (report.outcome === 'done') return;
  if (report.outcome === 'taken') {
    const names = report.names.map(({ service, home: other }) =>
      other === null ? `${service} belongs to another program` : `${service} belongs to ${other}`,
    );
    throw new CommandFailure(
      `${names.join('; ')}, not to ${home}. A machine can have these services only once. Nothing was changed.`,
    );
  }
  const left = report.left.map(
    ({ step, error }) => `\nCould not be undone: ${inWords(step)}: ${error.message}`,
  );
  throw new CommandFailure(
    `This step failed: ${inWords(report.failed)}: ${report.error.message}. The steps before it were undone.${left.join('')}`,
    exitCodeOf(report.error),
  );
};

const exitCodeOf = (error: unknown) =>
  error instanceof ServiceRefusedError && error.reason === 'needs-elevation'
    ? exitCodes.elevation
    : exitCodes.failed;

const refusing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceRefusedError) throw new CommandFailure(error.message, exitCodeOf(error));
    throw error;
  }
};
