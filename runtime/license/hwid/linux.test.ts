import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isMachineIdOfImage, readLinuxIdentifier } from './linux.ts';

const machineId = '0f4c8a6d1e2b4c3d9a8b7c6d5e4f3a21';
const uuid = '4c4c4544-0044-3510-8056-b7c04f4e3532';
const serial = 'S3Z9NB0K123456X';

const fakeSystem = async (files: Record<string, string>, links: Record<string, string> = {}) => {
  const folder = await temporaryFolder('machine');
  const place = async (path: string) => {
    const full = join(folder.path, path);
    await mkdir(dirname(full), { recursive: true });
    return full;
  };
  for (const [path, text] of Object.entries(files)) await writeFile(await place(path), text);
  for (const [path, target] of Object.entries(links)) await symlink(target, await place(path));
  return folder;
};

const mountedAt = (numbers: string, source: string) =>
  `22 27 0:21 / /proc rw - proc proc rw\n27 1 ${numbers} / / rw,relatime shared:1 - ext4 ${source} rw\n`;

// Guarantee: an identifier that only root can read is not used: services would see another machine.
test('the SMBIOS UUID counts only when every account can read it', async () => {
  await using system = await fakeSystem({ 'sys/class/dmi/id/product_uuid': `${uuid}\n` });
  const file = join(system.path, 'sys/class/dmi/id/product_uuid');
  await chmod(file, 0o400);
  expect(await readLinuxIdentifier('smbiosUuid', system.path)).toBeNull();
  await chmod(file, 0o444);
  expect(await readLinuxIdentifier('smbiosUuid', system.path)).toBe(uuid.replaceAll('-', ''));
});

// Guarantee: an empty or first-boot machine-id is skipped in favour of its older location.
test('machine-id comes from either place', async () => {
  await using first = await fakeSystem({ 'etc/machine-id': `${machineId}\n` });
  expect(await readLinuxIdentifier('machineId', first.path)).toBe(machineId);
  await using second = await fakeSystem({
    'etc/machine-id': 'uninitialized\n',
    'var/lib/dbus/machine-id': machineId,
  });
  expect(await readLinuxIdentifier('machineId', second.path)).toBe(machineId);
  await using none = await fakeSystem({ 'etc/machine-id': '' });
  expect(await readLinuxIdentifier('machineId', none.path)).toBeNull();
});

const layers = 'rw,lowerdir=/var/lib/docker/overlay2/l/A:/var/lib/docker/overlay2/l/B,upperdir=/x/diff';
const podman = 'rw,lowerdir=/home/ada/.local/share/containers/storage/overlay/l/A,upperdir=/x/diff';
const rootOf = (type: string, options: string) =>
  `22 27 0:21 / /proc rw - proc proc rw\n27 1 0:55 / / rw,relatime - ${type} ${type} ${options}\n`;
const mounted = (path: string) => `30 27 8:2 ${path} ${path} ro,relatime - ext4 /dev/sda2 rw\n`;

// Guarantee: the machine-id of an image, which all its containers share, is told from one that is mounted, that was made in the
// container, and that of a machine whose disk is an overlay (raspi-config, live systems) or that LXC runs.
test.each<[boolean, string, string, string | null, 'before' | 'after']>([
  [true, 'Docker', rootOf('overlay', layers), '.dockerenv', 'before'],
  [true, 'Podman', rootOf('fuse.fuse-overlayfs', podman), 'run/.containerenv', 'before'],
  [
    true,
    'containerd, no mark',
    rootOf('overlay', 'rw,lowerdir=/run/containerd/snapshots/1/fs'),
    null,
    'before',
  ],
  [
    true,
    'Docker on btrfs',
    rootOf('btrfs', 'rw').replace(' / / ', ' /docker/btrfs/subvolumes/a / '),
    null,
    'before',
  ],
  [false, 'made in the container', rootOf('overlay', layers), '.dockerenv', 'after'],
  [false, 'mounted', rootOf('overlay', layers) + mounted('/etc/machine-id'), '.dockerenv', 'before'],
  [
    false,
    'mounted for D-Bus',
    rootOf('overlay', layers) + mounted('/var/lib/dbus/machine-id'),
    '.dockerenv',
    'before',
  ],
  [false, '/etc mounted', rootOf('overlay', layers) + mounted('/etc'), '.dockerenv', 'before'],
  [false, 'LXC', rootOf('zfs', 'rw,xattr,posixacl'), null, 'before'],
  [false, 'a disk made from an image', rootOf('ext4', 'rw,discard'), '.dockerenv', 'before'],
  [
    false,
    'an overlay over a disk',
    rootOf('overlay', 'rw,lowerdir=/media/root-ro,upperdir=/x'),
    null,
    'before',
  ],
])('of an image: %s, %s', async (isOfImage, _name, mountinfo, mark, made) => {
  const files = {
    'etc/machine-id': machineId,
    ...(mark && { [mark]: '' }),
    'proc/self/mountinfo': mountinfo,
  };
  await using system = await fakeSystem(files);
  const at = (path: string) => join(system.path, path);
  const changedNs = async (path: string) => (await stat(at(path), { bigint: true })).ctimeNs;
  const [earlier, later] = made === 'before' ? ['etc/machine-id', mark] : [mark, 'etc/machine-id'];
  // The system's clock of files ticks.
  if (earlier && later)
    while ((await changedNs(later)) <= (await changedNs(earlier))) await chmod(at(later), 0o644);
  expect(await isMachineIdOfImage(system.path)).toBe(isOfImage);
  expect(await readLinuxIdentifier('machineId', system.path)).toBe(machineId);
});

const disk = 'sys/devices/pci0/block/sda';
const layouts: Record<string, [Record<string, string>, Record<string, string>]> = {
  'a partition of a SATA disk (wwid with model and serial)': [
    {
      'proc/self/mountinfo': mountedAt('8:2', '/dev/sda2'),
      [`${disk}/device/wwid`]: `t10.ATA     Samsung SSD 860 EVO 500GB               ${serial}     \n`,
      [`${disk}/sda2/partition`]: '2\n',
    },
    { 'sys/dev/block/8:2': '../../devices/pci0/block/sda/sda2' },
  ],
  'a whole virtio disk': [
    { 'proc/self/mountinfo': mountedAt('8:0', '/dev/vda'), [`${disk}/serial`]: serial },
    { 'sys/dev/block/8:0': '../../devices/pci0/block/sda' },
  ],
  'a volume in an encrypted partition of an NVMe disk': [
    {
      'proc/self/mountinfo': mountedAt('253:1', '/dev/mapper/vg-root'),
      'sys/devices/virtual/block/dm-1/dm/name': 'vg-root',
      'sys/devices/virtual/block/dm-0/dm/name': 'crypt',
      [`${disk}/sda3/partition`]: '3\n',
      [`${disk}/device/serial`]: `${serial}   \n`,
    },
    {
      'sys/dev/block/253:1': '../../devices/virtual/block/dm-1',
      'sys/devices/virtual/block/dm-1/slaves/dm-0': '../../dm-0',
      'sys/devices/virtual/block/dm-0/slaves/sda3': '../../../../pci0/block/sda/sda3',
    },
  ],
  'btrfs, which shows no block device number': [
    {
      'proc/self/mountinfo': mountedAt('0:31', '/dev/sda2'),
      [`${disk}/sda2/partition`]: '2\n',
      [`${disk}/device/serial`]: serial,
    },
    { 'sys/class/block/sda2': '../../devices/pci0/block/sda/sda2' },
  ],
};

// Guarantee: the serial is that of the disk that holds the system, however it is mounted.
test.each(Object.entries(layouts))('disk serial: %s', async (_name, [files, links]) => {
  await using system = await fakeSystem(files, links);
  expect(await readLinuxIdentifier('diskSerial', system.path)).toBe(serial.toLowerCase());
});

// Guarantee: where there is no such disk (a container, a RAID, a system without /sys), nothing is made up.
test.each<[string, Record<string, string>]>([
  ['nothing at all', {}],
  ['an overlay', { 'proc/self/mountinfo': mountedAt('0:55', 'overlay') }],
  ['a mangled mount table', { 'proc/self/mountinfo': 'x\n\n / / / /\n' }],
  ['a device that is not there', { 'proc/self/mountinfo': mountedAt('8:2', '/dev/sda2') }],
])('no disk serial from %s', async (_name, files) => {
  await using system = await fakeSystem(files);
  expect(await readLinuxIdentifier('diskSerial', system.path)).toBeNull();
});

test('no disk serial from two disks under one volume', async () => {
  await using system = await fakeSystem(
    {
      'proc/self/mountinfo': mountedAt('9:0', '/dev/md0'),
      [`${disk}/serial`]: serial,
      'sys/devices/virtual/block/md0/slaves/sdb': '',
    },
    {
      'sys/dev/block/9:0': '../../devices/virtual/block/md0',
      'sys/devices/virtual/block/md0/slaves/sda': `../../../../pci0/block/sda`,
    },
  );
  expect(await readLinuxIdentifier('diskSerial', system.path)).toBeNull();
});
