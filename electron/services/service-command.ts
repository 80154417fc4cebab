import { win32 } from 'node:path';
import { type ComponentName, componentNames } from '#contracts/operations/stack.ts';
import { commandLineText, splitCommandLine } from '#runtime/windows/command-line-text.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';

/** What the services run, and on which data folder. All paths absolute. */
export interface ServiceInstallation {
  readonly home: string;
  /** Holds castellan.mjs, and the service host beside it. */
  readonly programsFolder: string;
  /** The Node executable. */
  readonly node: string;
}

export const serviceHostFile = 'service-host.exe';

/**
 * After this time the host ends the program, and the guardian then stops what is left. Windows waits for a service as long
 * as its host asks, and at a shutdown at most as long as Windows itself is set to.
 */
const stopTimeoutMs = 30_000;

/** The host's own log keeps the output of a program that cannot even start; the components' logs are beside it. */
const hostLogFolder = (home: string): string => win32.join(home, 'logs', 'service-host');

/** The command that Windows starts for a service. */
export const serviceCommand = (component: ComponentName, installation: ServiceInstallation): string => {
  const { home, programsFolder, node } = installation;
  const host = [
    ['run', '--name', serviceNames[component], '--restart', '--stop-timeout', String(stopTimeoutMs)],
    ['--log-dir', hostLogFolder(home), '--cwd', programsFolder],
  ].flat();
  const program = [node, win32.join(programsFolder, 'castellan.mjs'), '--home', home];
  const args = [...host, '--', ...program, 'services', 'run', component];
  return commandLineText(win32.join(programsFolder, serviceHostFile), args);
};

/** The data folder that a Castellan service works on; null for anything else that has taken its name. */
export const homeOfServiceCommand = (command: string): string | null => {
  const args = splitCommandLine(command);
  const [home, word, verb, component] = args.slice(args.lastIndexOf('--home') + 1);
  const ours = args.includes('--home') && word === 'services' && verb === 'run';
  return ours && componentNames.some((name) => name === component) ? (home ?? null) : null;
};

/** Windows ignores case in paths. */
export const isSameWindowsPath = (a: string, b: string): boolean =>
  win32.resolve(a).toLowerCase() === win32.resolve(b).toLowerCase();
