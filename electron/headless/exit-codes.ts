import { ConfigError } from '#runtime/env.ts';
import { configExitCode, StartupError } from '#runtime/program.ts';
import { RunAsServicesError, SupervisorFrozenError } from '../control/control-client.ts';
import { HomeHeldError } from '../control/held-home.ts';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  holder: 3,
  elevation: 4,
  grace: 10,
  unlicensed: 11,
  rejected: 12,
  configuration: configExitCode,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Shown under each command's help. */
export const exitCodesHelp = `
Exit codes:
  ${exitCodes.done}   done
  ${exitCodes.failed}   failed; the error output says why
  ${exitCodes.usage}   wrong usage
  ${exitCodes.holder}   another program runs the stack, or it is not running
  ${exitCodes.elevation}   needs an administrator
  ${exitCodes.configuration}  wrong configuration; the error output names every fault`;

/** Added under the help of `license` and its commands. */
export const licenseExitCodesHelp = `
  ${exitCodes.grace}  the license is in its grace period: everything works, but the portal has not confirmed it
  ${exitCodes.unlicensed}  no license is activated
  ${exitCodes.rejected}  the license was rejected`;

/** Expected ends of a command, each with its exit code; anything else is a fault of ours. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const notRunning = (home: string): CommandFailure =>
  new CommandFailure(`No stack is running in ${home}. Start it with: castellan start`, exitCodes.holder);

const nextSteps = ({ faults }: ConfigError): string[] =>
  faults.some(({ variable }) => variable === 'LICENSE_SERVER_URL')
    ? [
        'This build comes with no license portal, so choose one:',
        '  - Do you have a portal? Write its address and its public key into the file. "portal key show" prints the key.',
        '  - Are you only trying Castellan? "npm run demo" starts a portal and a license along with everything else.',
      ]
    : [];

export const describeFailure = (error: unknown): { readonly text: string; readonly exitCode: ExitCode } => {
  if (error instanceof CommandFailure) return { text: error.message, exitCode: error.exitCode };
  if (
    error instanceof HomeHeldError ||
    error instanceof RunAsServicesError ||
    error instanceof SupervisorFrozenError
  )
    return { text: error.message, exitCode: exitCodes.holder };
  if (error instanceof ConfigError)
    return {
      text: [
        error.message,
        ...nextSteps(error),
        'Correct the file and start again. It was not changed.',
      ].join('\n'),
      exitCode: exitCodes.configuration,
    };
  if (error instanceof StartupError) return { text: error.message, exitCode: exitCodes.failed };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, exitCode: exitCodes.failed };
};
