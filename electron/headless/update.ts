import { version as installed } from '#runtime/version.ts';
import { runInstaller } from '../updates/run-installer.ts';
import { readUpdateSource } from '../updates/update-source.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** `castellan update install`: what the desktop runs as an administrator, and nobody else. */
export const installUpdate = async (
  { programsFolder }: CommandContext,
  variables: Variables,
  { folder, version }: { readonly folder: string; readonly version: string },
): Promise<void> => {
  const programFiles = variables.ProgramW6432 ?? variables.ProgramFiles;
  if (process.platform !== 'win32' || programFiles === undefined)
    throw new CommandFailure('Only an installation on Windows is updated by this.', exitCodes.usage);
  const source = await readUpdateSource(programsFolder);
  if (source === null) throw new CommandFailure('This build knows of no updates.', exitCodes.usage);
  await runInstaller({ from: folder, version, programFiles, source, installed });
};
