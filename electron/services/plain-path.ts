import { lstat } from 'node:fs/promises';
import { ifAbsent } from '#runtime/absent-file.ts';
import { StartupError } from '#runtime/program.ts';

/**
 * What is written, or given away, with an administrator's rights must be where its name says. The account that owns the
 * data folder could have put a link there to a folder or a file that only an administrator may change. What does not exist
 * is no link.
 * @throws {StartupError}
 */
export const demandPlain = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const found = await lstat(path).catch(ifAbsent(null));
    const isLink = found?.isSymbolicLink() || (found?.isFile() && found.nlink > 1);
    if (isLink) throw new StartupError(`${path} is a link. Replace it by what it points to, then try again.`);
  }
};
