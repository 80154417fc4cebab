import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readlink, stat } from 'node:fs/promises';
import { StartupError } from '#runtime/program.ts';
import { followOwnLinks, type NamedPath } from './named-path.ts';
import { noFile, pathOnly } from './opened-folder.ts';

const readableByOthers = 0o004;

/**
 * Opens a file that the machine's owner has named for reading; never waits for a pipe, and never touches a device. As root, it
 * reads what another account could have put there only if that account owns it, or if it is in that very place under no second
 * name and not closed by root.
 * @throws {StartupError} for another account's link to something else, with the code EACCES
 * @throws with the code NO_FILE for what is no file
 */
export const openNamedFile = async (named: string): Promise<FileHandle> => {
  if (process.platform !== 'linux') {
    if (!(await stat(named)).isFile()) throw noFile(named);
    return open(named, 'r');
  }
  const { path, foreign } = await followOwnLinks(named);
  await using place = await open(path, pathOnly);
  const facts = await place.stat();
  if (!facts.isFile()) throw noFile(named);
  const opened = `/proc/self/fd/${place.fd}`;
  if (foreign !== null && !isTheirs(facts, foreign, path === (await readlink(opened))))
    throw notTheirs(named);
  return await open(opened, constants.O_RDONLY | constants.O_NONBLOCK);
};

const notTheirs = (named: string) =>
  Object.assign(
    new StartupError(
      `Another account than root may change the folder of ${named}, which leads to a file that may not be that account's to read. Name the file itself, or give it to that account.`,
    ),
    { code: 'EACCES' },
  );

const isTheirs = (
  { uid, mode, nlink }: Stats,
  foreign: NonNullable<NamedPath['foreign']>,
  isInPlace: boolean,
): boolean => uid === foreign || (isInPlace && nlink === 1 && (uid !== 0 || (mode & readableByOthers) !== 0));
