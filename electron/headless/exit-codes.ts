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

export const describeFailure = (error: unknown): { readonly text: string; readonly exitCode: ExitCode } => {
  if (error instanceof CommandFailure) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof HomeHeldError || error instanceof RunAsServicesError)
    return { text: error.message, exitCode: exitCodes.holder };
  if (error instanceof ConfigError)
    return {
      text: `${error.message}\nMend the file and start again; it was left as it is.`,
      exitCode: exitCodes.configuration,
    };
  if (error instanceof StartupError) return { text: error.message, exitCode: exitCodes.failed };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, exitCode: exitCodes.failed };
};
