import { posix } from 'node:path';

/** By the names that their managers give to groups of processes; the first that fits counts. */
const kinds = [
  ['Kubernetes', /\/kubepods/],
  ['Podman', /\/(?:libpod|machine\.slice\/.*podman|user\.slice\/libpod)[-_]/],
  ['Docker', /\/(?:docker[-/]|system\.slice\/docker-|.*\/docker-[0-9a-f]{12})/],
  ['containerd', /\/(?:cri-containerd|nerdctl|containerd-)/],
  ['LXC', /\/(?:lxc\.payload|lxc\/|lxc-)/],
  ['systemd-nspawn', /\/machine\.slice\//],
] as const;

/**
 * What runs the container that a process is in, from the texts of /proc/<pid>/cgroup and /proc/self/cgroup; null outside of any, and
 * in the same one as this program.
 */
export const containerOf = (groups: string, ownGroups: string): string | null =>
  groups === ownGroups ? null : (kinds.find(([, sign]) => sign.test(groups))?.[0] ?? null);

interface Mount {
  readonly device: string;
  /** The folder of the file system that is mounted. */
  readonly root: string;
  readonly place: string;
}

/** Blanks, line ends and backslashes appear as octal numbers; every other byte stands for itself. */
export const withoutEscapes = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** From the text of /proc/<pid>/mountinfo (proc_pid_mountinfo(5)). */
const readMounts = (text: string): Mount[] =>
  text.split('\n').flatMap((line) => {
    const [, , device, root, place] = line.split(' ');
    return device === undefined || root === undefined || place === undefined
      ? []
      : [{ device, root: withoutEscapes(root), place: withoutEscapes(place) }];
  });

const isIn = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** The mount with the longest of these folders around the path; of equal ones the last, which covers the others. */
const closest = (mounts: readonly Mount[], path: string, folder: 'root' | 'place'): Mount | null => {
  let found: Mount | null = null;
  for (const mount of mounts)
    if (isIn(path, mount[folder]) && mount[folder].length >= (found?.[folder].length ?? 0)) found = mount;
  return found;
};

/** Translates paths of a container into this machine's; null where it shares no file system. @param its its mountinfo @param own this program's */
export const hostPaths = (its: string, own: string): ((path: string) => string | null) => {
  const mounts = readMounts(its);
  const ours = readMounts(own);
  return (path) => {
    const inside = closest(mounts, path, 'place');
    if (!inside) return null;
    const onDisk = posix.join(inside.root, posix.relative(inside.place, path));
    const outside = closest(
      ours.filter(({ device }) => device === inside.device),
      onDisk,
      'root',
    );
    return outside && posix.join(outside.place, posix.relative(outside.root, onDisk));
  };
};
