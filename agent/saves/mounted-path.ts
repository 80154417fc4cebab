import { join, relative, sep } from 'node:path';

/** A place by its filesystem, which is the same by whatever mount, and in whatever container, it is reached. */
export interface MountedPath {
  /** Major and minor number. */
  readonly device: string;
  /** Within the filesystem. */
  readonly path: string;
}

export interface Mount extends MountedPath {
  readonly point: string;
  readonly isWritable: boolean;
}

/** Blanks, line ends and backslashes appear as octal numbers. */
const withoutEscapes = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** @param text of /proc/<pid>/mountinfo (proc_pid_mountinfo(5)) */
export const readMounts = (text: string): Mount[] =>
  text.split('\n').flatMap((line) => {
    const [, , device, path, point, options] = line.split(' ');
    if (device === undefined || path === undefined || point === undefined || options === undefined) return [];
    const isWritable = !options.split(',').includes('ro');
    return [{ device, path: withoutEscapes(path), point: withoutEscapes(point), isWritable }];
  });

export const isAtOrBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** @param path without links, as the processes that see these mounts name it. @returns null: none of them holds it */
export const locate = (mounts: readonly Mount[], path: string): MountedPath | null => {
  let found: Mount | null = null;
  // Of two at the same point, the later one hides the other.
  for (const mount of mounts)
    if (isAtOrBelow(mount.point, path) && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  return found && { device: found.device, path: join(found.path, relative(found.point, path)) };
};

export const isInFolder = (folder: MountedPath, place: MountedPath | null): boolean =>
  place !== null && place.device === folder.device && isAtOrBelow(folder.path, place.path);
