import { version as installed } from '#runtime/version.ts';
import { readUpdateSource } from '../updates/update-source.ts';
import { runInstaller } from '../updates/windows-installer.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** `castellan update install`: only the desktop runs this, as an administrator. */
export const installUpdate = async (
  { programsFolder }: CommandContext,
  variables: Variables,
  { folder, version }: { readonly folder: string; readonly version: string },
): Promise<void> => {
  const programFiles = variables.ProgramW6432 ?? variables.ProgramFiles;
  if (process.platform !== 'win32' || programFiles === undefined)
    throw new CommandFailure('This command updates installations on Windows only.', exitCodes.usage);
  const source = await readUpdateSource(programsFolder);
  if (source === null) throw new CommandFailure('This build has no source of updates.', exitCodes.usage);
  await runInstaller({ from: folder, version, programFiles, source, installed });
};
