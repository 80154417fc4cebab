import { expect, test } from 'vitest';
import { foreignDiskOf } from './foreign-disk.ts';

// Guarantee: file systems that other machines or programs answer for are known by their number; the system's own are not named.
// linux/magic.h, and the list of GNU stat (coreutils, src/stat.c).
test.each<[string, number, RegExp | null]>([
  ['sshfs, rclone, virtiofs', 0x65735546, /FUSE/],
  ['NFS', 0x6969, /NFS/],
  ['SMB 2', 0xfe534d42, /SMB/],
  ['CIFS', 0xff534d42, /CIFS/],
  ['drives of Windows in WSL 2', 0x01021997, /9p/],
  ['VirtualBox', 0x786f4256, /VirtualBox/],
  ['kAFS', 0x6b414653, /AFS/],
  ['Lustre', 0x0bd00bd0, /Lustre/],
  ['GPFS', 0x47504653, /GPFS/],
  ['BeeGFS', 0x19830326, /BeeGFS/],
  ['ext4', 0xef53, null],
  ['btrfs', 0x9123683e, null],
  ['XFS', 0x58465342, null],
  ['ZFS', 0x2fc12fc1, null],
  ['overlay', 0x794c7630, null],
])('a disk: %s', (_name, type, words) => {
  if (words === null) expect(foreignDiskOf(type)).toBeNull();
  else expect(foreignDiskOf(type)).toMatch(words);
});
