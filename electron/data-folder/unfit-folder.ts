import type { Dirent } from 'node:fs';
import { access, readdir, statfs } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isWithin } from './survey-home.ts';

/** Why a place cannot hold a database, in words. */
export interface UnfitFolder {
  readonly outcome: 'network' | 'synced';
  readonly detail: string;
}

/**
 * Linux's numbers for file systems that other machines or programs answer for (statfs(2), linux/magic.h). They lack locks,
 * links or a flush that is one: initdb fails on them, or a power cut costs the database (docker-library/postgres#235,
 * docker/for-win#445, microsoft/WSL#3863).
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

/** What answers for a file system of this type of statfs(2); null: the system itself. */
export const foreignDisk = (type: number): string | null => foreignTypes.get(type) ?? null;

/** OneDrive sets one for each account that it synchronizes. */
const syncedVariables = ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'] as const;

/**
 * Names that the clients give their folders, with the account behind them: `OneDrive - The Keep`, `Dropbox (Personal)`; Google's
 * drive has one in the language of the account.
 */
const syncedNames = [
  ...['OneDrive', 'SharePoint', 'Dropbox', 'Google ?Drive', 'iCloud ?Drive', 'Nextcloud', 'ownCloud'],
  ...['My Drive', 'Shared drives', 'Meine Ablage', 'Meu Drive', 'Mi unidad', 'Mon Drive', 'Il mio Drive'],
  ...['Mijn Drive', 'Mój dysk', 'Min enhet', 'Мой диск', 'マイドライブ', '我的云端硬盘', '내 드라이브'],
  ...[
    'Box',
    'Box Sync',
    'MEGA(?:sync)?',
    'pCloud ?Drive',
    'pCloud ?Sync',
    'Proton ?Drive',
    'Synology ?Drive',
  ],
  ...['SeaDrive', 'Seafile', 'Yandex\\.?Disk', 'Tresorit', 'Creative Cloud Files', 'Jottacloud', 'kDrive'],
  ...['MagentaCLOUD', 'HiDrive', 'Insync', 'Filen(?: Drive)?', 'Internxt(?: Drive)?', 'Icedrive', 'Koofr'],
  ...[
    'SpiderOak Hive',
    'SugarSync',
    'Egnyte Drive',
    'Nutstore Files',
    'BaiduSyncdisk',
    'WPS ?Drive',
    'Syncthing',
  ],
  ...['Resilio Sync', 'CloudStation', 'Amazon (?:Cloud )?Drive', 'Mail\\.ru Cloud'],
];
const syncedName = new RegExp(`^(?:${syncedNames.join('|')})(?: - .*| ?\\(.*\\)|\\d)?$`, 'iu');

/**
 * What the clients keep in the folder that they synchronize, or in each one below (nextcloud/desktop#2807, #5083, #6574,
 * owncloud/client#5844).
 */
const syncMark = new RegExp(
  `^(?:${[
    ...[
      String.raw`\.dropbox(?:\.cache)?`,
      String.raw`\.st(?:folder|versions)`,
      String.raw`\.csync_journal\.db`,
    ],
    ...[String.raw`\.(?:owncloud|nextcloud)sync\.log`, String.raw`\._?sync_[0-9a-f]{6,32}\.db`],
    ...[String.raw`\.tmp\.drive(?:up|down)load`, String.raw`\.SynologyWorkingDirectory`],
    ...[String.raw`\.seafile-data`, String.raw`\.megaignore`],
  ].join('|')})$`,
  'i',
);
/** Resilio's, which has only a usual name. */
const resilioMark = join('.sync', 'ID');

/** Dropbox keeps its settings in a folder of the same name in the home folder. */
const isMark = (entry: Dirent): boolean =>
  syncMark.test(entry.name) && (entry.name !== '.dropbox' || entry.isFile());

const markIn = async (folder: string): Promise<string | null> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const mark = entries.find(isMark)?.name;
  if (mark !== undefined) return mark;
  return access(join(folder, resilioMark)).then(
    () => resilioMark,
    () => null,
  );
};

/** The folders around it, nearest first, with itself. */
const foldersTo = (path: string): string[] => {
  const above = dirname(path);
  return above === path ? [path] : [path, ...foldersTo(above)];
};

const markAbove = async (path: string): Promise<string | null> => {
  for (const folder of foldersTo(path)) {
    const mark = await markIn(folder);
    if (mark !== null) return join(folder, mark);
  }
  return null;
};

/**
 * What makes a place unfit for a database; null: nothing known. Writes nothing.
 * @param nearest the folder that is there; `real` may not exist yet
 */
export const unfitFolder = async (
  { nearest, real }: { readonly nearest: string; readonly real: string },
  variables: Readonly<Record<string, string | undefined>>,
): Promise<UnfitFolder | null> => {
  if (real.startsWith('\\\\')) return { outcome: 'network', detail: `${real} is on another machine.` };
  const foreign = foreignDisk((await statfs(nearest)).type);
  if (foreign !== null)
    return { outcome: 'network', detail: `${real} is on no disk of this machine (${foreign}).` };
  const synced = syncedVariables.map((name) => variables[name] ?? '').filter((path) => path !== '');
  if (synced.some((path) => isWithin(path, real)) || real.split(sep).some((name) => syncedName.test(name)))
    return { outcome: 'synced', detail: `${real} is synchronized with a cloud.` };
  const mark = await markAbove(real);
  return mark === null
    ? null
    : { outcome: 'synced', detail: `${real} is synchronized with other machines: ${mark} says so.` };
};
