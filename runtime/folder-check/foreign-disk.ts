import { statfs } from 'node:fs/promises';

/**
 * Linux's numbers for file systems that other machines or programs answer for (statfs(2), linux/magic.h). They may lack
 * locks, links or a flush that is one: initdb fails on them, or a power cut costs the database (docker-library/postgres#235,
 * docker/for-win#445, microsoft/WSL#3863). Who uses a file there is not known here.
 */
const foreignTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x20030528, 'OrangeFS'],
  [0xaad7aaea, 'PanFS'],
  [0x564c, 'NCP'],
  [0x01021997, '9p, such as the drives of Windows in WSL'],
  [0x786f4256, 'a shared folder of VirtualBox'],
  [0xbacbacbc, 'a shared folder of VMware'],
  [0x7c7c6673, 'a shared folder of Parallels'],
  // sshfs, rclone, GlusterFS, s3fs, the drives of sync clients; virtiofs, too, which a virtual machine gets from its host.
  [0x65735546, 'FUSE: a program answers for it, not the system'],
]);

/** What answers for a file system of this type; null: the system itself. */
export const foreignDiskOf = (type: number): string | null => foreignTypes.get(type) ?? null;

/** @throws when the folder is not there */
export const foreignDisk = async (folder: string): Promise<string | null> =>
  foreignDiskOf((await statfs(folder)).type);
