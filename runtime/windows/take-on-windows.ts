import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartupError } from '../program.ts';
import { accountNameOf, isTrusted, readFolderSecurity } from './folder-security.ts';
import { closeToOthers, ownAccount } from './private-folder.ts';
import type { SecurityDescriptor } from './sddl.ts';
import { isOurService } from './service-names.ts';
import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

/** The part of `takeFolder` for Windows, where every account may make folders in %ProgramData%. @throws {StartupError} */
export const takeOnWindows = async (
  folder: string,
  isInstalled: (folder: string) => boolean,
  run: RunSystemProgram = runSystemProgram,
): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true });
  if (!existsSync(folder) && (await makeClosed(folder, run))) return;
  const installed = isInstalled(folder);
  // Its rights are those of another folder, which may be any.
  if (!installed && (await lstat(folder)).isSymbolicLink())
    throw new StartupError(`${folder} is a link. Replace it by what it points to, or choose another folder.`);
  const own = await ownAccount(run);
  // An administrator has made the service that works on this folder.
  if (installed && isOurService(own)) return;
  const security = await readFolderSecurity(folder, 'itself', run);
  const isOurs = isTrusted(own, security ?? { administrators: [] });
  const [ofFolder] = security?.descriptors.values() ?? [];
  if (ofFolder !== undefined && !isOwnedBy(isOurs, ofFolder))
    return installed ? refuse(folder, ofFolder, run) : replace(folder, ofFolder, run);
  if (installed) return;
  const wasEmpty = (await readdir(folder)).length === 0;
  if (!wasEmpty) {
    if (security === null) return;
    await demandNoStranger(folder, isOurs, run);
  }
  // Removes the rights that others were given on it by name, which closing alone leaves.
  if (wasEmpty) await run('icacls.exe', [folder, '/reset']);
  await closeToOthers(folder, run);
  if (wasEmpty) await demandEmpty(folder);
};

type IsOurs = (sid: string) => boolean;

const isOwnedBy = (isOurs: IsOurs, descriptor: SecurityDescriptor | null): boolean =>
  descriptor !== null && descriptor.owner !== null && isOurs(descriptor.owner);

/** @returns false when someone else has just made it */
const makeClosed = async (folder: string, run: RunSystemProgram): Promise<boolean> => {
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await closeToOthers(folder, run);
  await demandEmpty(folder);
  return true;
};

/** Until it was closed, others could make files in it, as in every folder of %ProgramData%. */
const demandEmpty = async (folder: string): Promise<void> => {
  const [planted] = await readdir(folder);
  if (planted !== undefined)
    throw new StartupError(
      `While the data folder ${folder} was made, another account put ${planted} into it. Delete the folder, and start again.`,
    );
};

/** A new folder instead of the same one: a program that has that open keeps the right to change its permissions. */
const replace = async (
  folder: string,
  descriptor: SecurityDescriptor | null,
  run: RunSystemProgram,
): Promise<void> => {
  const isReplaced = await rmdir(folder).then(
    () => makeClosed(folder, run),
    () => false,
  );
  if (!isReplaced) await refuse(folder, descriptor, run);
};

const refuse = async (
  folder: string,
  descriptor: SecurityDescriptor | null,
  run: RunSystemProgram,
): Promise<never> => {
  const owner = await ownerName(descriptor, run);
  throw new StartupError(
    `The data folder ${folder} belongs to the account ${owner}, which could change everything that is in it, so it does not count as an installation. If you do not know it, an administrator has to move it away. If you trust what is in it, run as an administrator: icacls "${folder}" /setowner *S-1-5-32-544 /T /L /C`,
  );
};

const demandNoStranger = async (folder: string, isOurs: IsOurs, run: RunSystemProgram): Promise<void> => {
  const security = await readFolderSecurity(folder, 'all', run);
  // So many files may be there in order that this takes too long.
  if (security === null)
    throw new StartupError(
      `It takes too long to find out whose files are in ${folder}. Choose another folder.`,
    );
  const [path, descriptor = null] =
    [...security.descriptors].find(([, each]) => !isOwnedBy(isOurs, each)) ?? [];
  if (path === undefined) return;
  const owner = await ownerName(descriptor, run);
  throw new StartupError(
    `${path} belongs to the account ${owner}, and there is no installation yet that could need it. Look at it, and move it away.`,
  );
};

const ownerName = async (descriptor: SecurityDescriptor | null, run: RunSystemProgram): Promise<string> =>
  descriptor?.owner ? accountNameOf(descriptor.owner, run) : 'that Windows does not tell us';
