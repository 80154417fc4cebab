import { readFile } from 'node:fs/promises';

/** File systems whose answers come from elsewhere: another machine or a program. */
const kinds = /^(?:nfs\d?|cifs|smb\d?|smbfs|9p|ceph|glusterfs|lustre|afs|sshfs|davfs|fuse|fuseblk|fuse\..+)$/;

/** Mounts that may hang, since something else answers for them (proc_pid_mountinfo(5)); empty on other systems than Linux. */
export const networkDrives = async (): Promise<ReadonlySet<string>> => {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const drives = mounts.split('\n').flatMap((line) => {
    const [place = '', kind = ''] = line.split(' - ');
    const path = place.split(' ')[4];
    return path !== undefined && kinds.test(kind.split(' ')[0] ?? '') ? [withoutEscapes(path)] : [];
  });
  return new Set(drives);
};

/** Blanks, line ends and backslashes appear as octal numbers; every other byte stands for itself. */
const withoutEscapes = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
