import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is in a folder, or is that folder. */
export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** As `isInside`, in whatever case Windows writes the same folder. */
export const isWithin = (folder: string, path: string): boolean =>
  process.platform === 'win32' ? isInside(path.toLowerCase(), folder.toLowerCase()) : isInside(path, folder);
