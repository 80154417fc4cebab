import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type IdentifierName, isLongIdentifier, usableIdentifier } from './identifier.ts';

const machineIdFiles = ['etc/machine-id', 'var/lib/dbus/machine-id'];

/** A disk under encryption under a volume group, and some to spare. */
const maximumLayers = 8;

/** @param root of the file system: `/`, or a folder that stands in for it */
export const readLinuxIdentifier = (name: IdentifierName, root: string): Promise<string | null> => {
  switch (name) {
    case 'machineId':
      return firstUsable(machineIdFiles.map((file) => join(root, file)));
    case 'smbiosUuid':
      return firstUsable([join(root, 'sys/class/dmi/id/product_uuid')]);
    case 'diskSerial':
      return readSystemDiskSerial(root);
  }
};

/** Overlays of container engines, by the folders that they keep layers in, and the files that they mark a container with. */
const engineFolder = /\/(?:docker|containerd|containers|buildkit|kubelet)\//;
const containerMarks = ['.dockerenv', 'run/.containerenv'];
const layeredTypes: ReadonlySet<string> = new Set(['overlay', 'fuse.fuse-overlayfs', 'aufs']);

/**
 * Whether `/etc/machine-id` is that of a container's image, which all its containers share (debian:11 has one,
 * debuerreotype/docker-debian-artifacts#151): neither mounted nor made after the container.
 */
export const isMachineIdOfImage = async (root: string): Promise<boolean> => {
  const mounts = ((await readWorldReadable(join(root, 'proc/self/mountinfo'))) ?? '')
    .split('\n')
    .map((line) => line.split(' '));
  if (mounts.some(([, , , , point = '']) => /^\/(?:etc|var\/lib\/dbus)(?:\/machine-id)?$/.test(point)))
    return false;
  const rootMount = mounts.findLast((fields) => fields[4] === '/') ?? [];
  const isOfEngine = engineFolder.test(rootMount.join(' '));
  const type = rootMount[rootMount.indexOf('-') + 1] ?? '';
  if (!isOfEngine && !layeredTypes.has(type)) return false;
  const changed = (path: string) => stat(join(root, path), { bigint: true }).catch(() => null);
  const files = await Promise.all(machineIdFiles.map(changed));
  const mark = (await Promise.all(containerMarks.map(changed))).find((found) => found !== null);
  return mark ? files.every((file) => !file || file.ctimeNs < mark.ctimeNs) : isOfEngine;
};

/** Long ones first, since only these counted once, and a machine keeps its HWID. */
const firstUsable = async (paths: readonly string[]): Promise<string | null> => {
  const texts = await Promise.all(paths.map(readWorldReadable));
  const usable = texts.flatMap((text) => {
    const raw = withoutDescription(text ?? '');
    const value = usableIdentifier(raw);
    return value === null ? [] : [{ value, isLong: isLongIdentifier(raw) }];
  });
  return (usable.find(({ isLong }) => isLong) ?? usable[0])?.value ?? null;
};

/** Null when the file does not exist, or when some account could not read it and would see another machine. */
const readWorldReadable = async (path: string): Promise<string | null> => {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o004) === 0) return null;
    return await readFile(path, 'utf8');
  } catch {
    // Absent or unreadable for any reason: this machine does not have the identifier.
    return null;
  }
};

/** The disk's own part of a wwid such as `t10.ATA  MODEL  SERIAL`. */
const withoutDescription = (text: string): string => text.trim().replace(/^(?:t10|nvme)\..*\s/, '');

const readSystemDiskSerial = async (root: string): Promise<string | null> => {
  const block = await systemBlockDevice(root);
  const disk = block === null ? null : await wholeDisk(block);
  if (disk === null) return null;
  return firstUsable(['serial', 'device/serial', 'wwid', 'device/wwid'].map((file) => join(disk, file)));
};

/** The folder in /sys of the device mounted at `/`. */
const systemBlockDevice = async (root: string): Promise<string | null> => {
  const mounts = (await readWorldReadable(join(root, 'proc/self/mountinfo'))) ?? '';
  const fields = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast((parts) => parts[4] === '/');
  if (!fields) return null;
  const [, , numbers = ''] = fields;
  // btrfs and similar file systems show a number that is not a block device, but name one as the source, after the dash.
  const source = fields[fields.indexOf('-') + 2] ?? '';
  const path = numbers.startsWith('0:')
    ? source.startsWith('/dev/') && join(root, 'sys/class/block', basename(source))
    : join(root, 'sys/dev/block', numbers);
  return path ? realpath(path).catch(() => null) : null;
};

/** Follows a partition, or a volume on a single disk, down to the disk. */
const wholeDisk = async (block: string, layersLeft = maximumLayers): Promise<string | null> => {
  if (layersLeft === 0) return null;
  if (await exists(join(block, 'partition'))) return dirname(block);
  const below = await readdir(join(block, 'slaves')).catch(() => []);
  const [only] = below;
  if (only === undefined) return block;
  if (below.length > 1) return null;
  const next = await realpath(join(block, 'slaves', only)).catch(() => null);
  return next === null ? null : wholeDisk(next, layersLeft - 1);
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
