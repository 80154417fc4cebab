import { lstat } from 'node:fs/promises';
import { StartupError } from '#runtime/program.ts';

/**
 * What is written, or given away, with an administrator's rights has to be where its name says. The account whose home it
 * is could have put a link there that leads to a folder, or names a file, which only an administrator may change. What is
 * not there is no link.
 * @throws {StartupError}
 */
export const demandPlain = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    const isLink = found?.isSymbolicLink() || (found?.isFile() && found.nlink > 1);
    if (isLink)
      throw new StartupError(`${path} is a link. Put what it leads to in its place, then try again.`);
  }
};
