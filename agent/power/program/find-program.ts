import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import { fault } from './fault.ts';

const isWindows = process.platform === 'win32';

/**
 * The file behind the first word of a command: in the folder, or else in the PATH.
 * @param folder null: a plain name is looked up in the PATH alone
 */
export const findProgram = async (
  folder: string | null,
  word: string,
): Promise<{ readonly path: string } | { readonly fault: ProgramFault }> => {
  // biome-ignore lint/style/noProcessEnv: where programs are is not ours to configure
  const { PATH = '', PATHEXT = '.COM;.EXE;.BAT;.CMD' } = process.env;
  const isPath = word.includes('/') || (isWindows && word.includes('\\'));
  const beside = resolve(folder ?? '/', word);
  const paths = isPath
    ? [beside]
    : [
        ...(folder === null ? [] : [beside]),
        ...PATH.split(delimiter)
          .filter(isAbsolute)
          .map((path) => join(path, word)),
      ];
  const endings = isWindows ? ['', ...PATHEXT.split(';')] : [''];
  let obstacle: ProgramFault | null = null;
  for (const path of paths.flatMap((one) => endings.map((ending) => one + ending))) {
    const seen = await fileObstacle(path);
    if (seen === null) return { path };
    if (seen.code !== 'program-missing') obstacle ??= seen;
  }
  return { fault: obstacle ?? fault('program-missing', isPath ? beside : word) };
};

/** Why this account cannot run the file, as far as its name and rights say; null when it can. */
export const fileObstacle = async (path: string): Promise<ProgramFault | null> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return found.code === 'EACCES' || found.code === 'EPERM'
      ? fault('program-not-executable', path)
      : fault('program-missing', path);
  if (found.isDirectory()) return fault('program-is-folder', path);
  if (!found.isFile()) return fault('not-a-program', path);
  return access(path, constants.X_OK).then(
    () => null,
    () => fault('program-not-executable', path),
  );
};
