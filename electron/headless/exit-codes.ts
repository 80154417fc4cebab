import type { LicenseState } from '#contracts/license-state.ts';
import { ConfigError } from '#runtime/env.ts';
import { configExitCode, StartupError } from '#runtime/program.ts';
import { RunAsServicesError } from '../control/control-client.ts';
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
  ${exitCodes.failed}   failed; stderr says why
  ${exitCodes.usage}   wrong usage
  ${exitCodes.holder}   the stack is held by another program, or is not running
  ${exitCodes.elevation}   needs the rights of an administrator
  ${exitCodes.configuration}  wrong configuration; stderr names every fault`;

/** `castellan license …` ends with the state of the license. */
const licenseExitCodes: Readonly<Record<LicenseState, ExitCode>> = {
  valid: exitCodes.done,
  grace: exitCodes.grace,
  unlicensed: exitCodes.unlicensed,
  rejected: exitCodes.rejected,
};
export const exitCodeOf = (state: LicenseState): ExitCode => licenseExitCodes[state];

/** Added under the help of `license` and its commands. */
export const licenseExitCodesHelp = `
  ${exitCodes.grace}  the license is in grace: it works, but the portal has not confirmed it
  ${exitCodes.unlicensed}  no license is activated
  ${exitCodes.rejected}  the license is rejected`;

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
        'This build names no license portal, so you choose one:',
        '  - Have a portal? Write its address and its public key into the file; "portal key show" prints the key.',
        '  - Just trying Castellan? "npm run demo" brings up a portal and a license with everything else.',
      ]
    : [];

export const describeFailure = (error: unknown): { readonly text: string; readonly exitCode: ExitCode } => {
  if (error instanceof CommandFailure) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof HomeHeldError || error instanceof RunAsServicesError)
    return { text: error.message, exitCode: exitCodes.holder };
  if (error instanceof ConfigError)
    return {
      text: [error.message, ...nextSteps(error), 'Mend the file and start again; it was left as it is.'].join(
        '\n',
      ),
      exitCode: exitCodes.configuration,
    };
  if (error instanceof StartupError) return { text: error.message, exitCode: exitCodes.failed };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, exitCode: exitCodes.failed };
};
