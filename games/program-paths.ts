import { posix, win32 } from 'node:path';
import type { SeenProgram } from './layout.ts';

/** The paths of a program and of the program that it runs (as a shell or Wine does), absolute where that is known. */
export const programPaths = ({ executable, command, workingFolder }: SeenProgram): string[] => {
  const called = command.slice(0, mostWrappers).map((word) => {
    const path = isWinePath(word) ? word.slice(2).replaceAll('\\', '/') : word;
    if (isAbsolute(path)) return path;
    // A bare name was found through PATH and names no folder.
    return workingFolder !== null && /[\\/]/.test(path)
      ? pathsOf(workingFolder).join(workingFolder, path)
      : '';
  });
  return [executable ?? '', ...called].filter((path) => path !== '');
};

/** Such as `bash`, `nice`, `proton run`. */
const mostWrappers = 4;

/** Wine shows the whole file system as its drive Z. */
const isWinePath = (path: string): boolean => process.platform !== 'win32' && /^z:[\\/]/i.test(path);
const isAbsolute = (path: string): boolean => posix.isAbsolute(path) || /^[a-z]:[\\/]/i.test(path);

/** The path rules of the system that the path comes from. */
export const pathsOf = (path: string): typeof posix => (/^(?:[a-z]:|\\\\)/i.test(path) ? win32 : posix);

/** The folder this many levels above the first path with one of these file names. */
export const folderAbove = (
  paths: readonly string[],
  names: readonly string[],
  levels: number,
): string | null => {
  const found = paths.find((path) => names.includes(pathsOf(path).basename(path).toLowerCase()));
  return found === undefined ? null : pathsOf(found).resolve(found, ...Array<string>(levels).fill('..'));
};
