import { access, statfs } from 'node:fs/promises';
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
  [0x00c36400, 'Ceph'],
  [0x01021997, '9p, such as the drives of Windows in WSL'],
  [0x786f4256, 'a shared folder of VirtualBox'],
  [0xbacbacbc, 'a shared folder of VMware'],
  [0x7c7c6673, 'a shared folder of Parallels'],
  [0x65735546, 'FUSE: a program answers for it, not the system'],
]);

/** OneDrive sets one for each account that it synchronizes. */
const syncedVariables = ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'] as const;

/** Names that the clients give their folders, with the account behind them: `OneDrive - The Keep`, `Dropbox (Personal)`. */
const syncedName = new RegExp(
  `^(?:${[
    ...['OneDrive', 'SharePoint', 'Dropbox', 'Google ?Drive', 'iCloud ?Drive', 'Nextcloud', 'ownCloud'],
    ...[
      'Box Sync',
      'MEGA(?:sync)?',
      'pCloud ?Drive',
      'Proton ?Drive',
      'Synology ?Drive',
      'SeaDrive',
      'Seafile',
    ],
    ...[
      'Yandex\\.?Disk',
      'Tresorit',
      'Creative Cloud Files',
      'Jottacloud',
      'kDrive',
      'MagentaCLOUD',
      'HiDrive',
    ],
  ].join('|')})(?: - .*| ?\\(.*\\)|\\d)?$`,
  'i',
);

/** What the clients keep in the folder that they synchronize, or in each one below (nextcloud/desktop#2807, #5083). */
const syncMarks = [
  ...[
    '.dropbox',
    '.dropbox.cache',
    '.stfolder',
    '.owncloudsync.log',
    '.nextcloudsync.log',
    '.tmp.driveupload',
  ],
  ...['.SynologyWorkingDirectory', '.seafile-data', '.megaignore', '.sync/ID'],
];

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The folders around it, nearest first, with itself. */
const foldersTo = (path: string): string[] => {
  const above = dirname(path);
  return above === path ? [path] : [path, ...foldersTo(above)];
};

const markAbove = async (path: string): Promise<string | null> => {
  for (const folder of foldersTo(path))
    for (const mark of syncMarks) if (await isThere(join(folder, mark))) return join(folder, mark);
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
  const foreign = foreignTypes.get((await statfs(nearest)).type);
  if (foreign !== undefined)
    return { outcome: 'network', detail: `${real} is on no disk of this machine (${foreign}).` };
  const synced = syncedVariables.map((name) => variables[name] ?? '').filter((path) => path !== '');
  if (synced.some((path) => isWithin(path, real)) || real.split(sep).some((name) => syncedName.test(name)))
    return { outcome: 'synced', detail: `${real} is synchronized with a cloud.` };
  const mark = await markAbove(real);
  return mark === null
    ? null
    : { outcome: 'synced', detail: `${real} is synchronized with other machines: ${mark} says so.` };
};
