import { win32 } from 'node:path';
import { type ComponentName, componentNames } from '#contracts/stack.ts';
import { commandLineText, splitCommandLine } from '#runtime/windows/command-line-text.ts';
import { serviceNames } from './service-names.ts';

/** What the services run, and on what. All paths absolute. */
export interface ServiceInstallation {
  readonly home: string;
  /** Where castellan.mjs lies, and the service host beside it. */
  readonly programsFolder: string;
  /** The Node executable. */
  readonly node: string;
}

export const serviceHostFile = 'service-host.exe';

/**
 * After it the host ends the program, and with it the guardian stops what is left. Windows waits for a service as long
 * as its host says, and at a shutdown at most as long as Windows itself is set to.
 */
const stopTimeoutMs = 30_000;

/** The host's own log keeps what a program says that cannot even begin; the components' logs are beside it. */
const hostLogFolder = (home: string): string => win32.join(home, 'logs', 'service-host');

/** What Windows is told to start for a service. */
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

/** The home that a service of Castellan works on; null for anything else that has taken its name. */
export const homeOfServiceCommand = (command: string): string | null => {
  const args = splitCommandLine(command);
  const [home, word, verb, component] = args.slice(args.lastIndexOf('--home') + 1);
  const ours = args.includes('--home') && word === 'services' && verb === 'run';
  return ours && componentNames.some((name) => name === component) ? (home ?? null) : null;
};

/** Windows does not tell capitals from small letters in paths. */
export const isSameWindowsPath = (a: string, b: string): boolean =>
  win32.resolve(a).toLowerCase() === win32.resolve(b).toLowerCase();
