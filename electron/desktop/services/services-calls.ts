import type { ServicesStatus } from '#contracts/desktop/desktop-services.ts';
import type { ServiceControl } from '#runtime/windows/service-control.ts';
import { installationFault, programFoldersOf, replaceableFault } from '../../services/per-machine.ts';
import type { ServiceInstallation } from '../../services/service-command.ts';
import { surveyServices } from '../../services/windows-services.ts';
import type { DesktopHandlers } from '../ipc-registrar.ts';
import type { StackModes } from './stack-modes.ts';

interface ServicesCallsOptions {
  readonly modes: Pick<StackModes, 'mode' | 'progress' | 'change'>;
  /** Null where there are no services. */
  readonly control: ServiceControl | null;
  readonly installation: ServiceInstallation;
  /** The environment, which says where Windows keeps programs. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

type ServicesHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `services.${string}`>>;

/** What the page asks of the Windows Services. */
export const servicesCalls = (options: ServicesCallsOptions): ServicesHandlers => {
  const { modes } = options;
  return {
    'services.status': async () => {
      const found = await look(options);
      // After the look, which takes a while: what pages were told in between must not be undone.
      return { ...modes.progress(), mode: modes.mode(), ...found };
    },
    'services.install': () => modes.change('install'),
    'services.uninstall': () => modes.change('uninstall'),
    'services.start': () => modes.change('start'),
    'services.stop': () => modes.change('stop'),
    'services.restart': () => modes.change('restart'),
    'services.access': () => modes.change('access'),
  };
};

const look = async ({
  control,
  installation,
  variables,
}: ServicesCallsOptions): Promise<Pick<ServicesStatus, 'obstacle' | 'services'>> => {
  if (control === null) return { obstacle: { kind: 'not-windows' }, services: null };
  try {
    const { services, taken } = await surveyServices(control, installation.home);
    const obstacle =
      taken.length > 0 ? { kind: 'taken' as const, names: [...taken] } : unfit(installation, variables);
    return { services: services && [...services], obstacle };
  } catch (error) {
    return { obstacle: { kind: 'unreadable', detail: (error as Error).message }, services: null };
  }
};

const unfit = (
  installation: ServiceInstallation,
  variables: ServicesCallsOptions['variables'],
): ServicesStatus['obstacle'] => {
  const folders = programFoldersOf(variables);
  const detail = installationFault(installation, folders);
  if (detail === null) return null;
  const isReplaceable = replaceableFault(installation, folders) !== null;
  return { kind: isReplaceable ? 'not-per-machine' : 'unfit-home', detail };
};
