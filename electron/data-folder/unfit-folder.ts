import type { Dirent } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { foreignDisk } from '#runtime/foreign-disk.ts';
import { isWithin } from './survey-home.ts';

/** Why a place cannot hold a database, in words. */
export interface UnfitFolder {
  readonly outcome: 'network' | 'synced';
  readonly detail: string;
}

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
  ...['SpiderOak Hive', 'SugarSync', 'Egnyte Drive', 'Nutstore Files', 'BaiduSyncdisk', 'WPS ?Drive'],
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
  const foreign = await foreignDisk(nearest);
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
