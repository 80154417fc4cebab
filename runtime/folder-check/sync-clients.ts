import type { Dirent } from 'node:fs';
import { access, readdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from './path-within.ts';
import { readSyncClaims, type SyncClaim } from './sync-claims.ts';

/**
 * Names that the clients give their folders, with the account behind them: `OneDrive - The Keep`, `Dropbox (Personal)`, before them
 * `The Keep Dropbox` for a team; Google's drive has one in the language of the account.
 */
const syncedNames = [
  ...[
    'OneDrive',
    'SharePoint',
    '(?:.+ )?Dropbox',
    'Google ?Drive',
    'iCloud ?(?:Drive|Photos)',
    'Nextcloud',
    'ownCloud',
  ],
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

/** Names that clients (Sync.com, Resilio, Syncthing, drives of a NAS) and people give folders. */
const ambiguousName = /^(?:(?:my|cloud) ?)?(?:sync|drive|cloud)(?:thing)?(?: ?\(\d+\)|\d)?$/i;

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

/** What says that a folder is synchronized; `maybe`: only its name, which others give, too. */
interface SyncSign {
  readonly certainty: 'sure' | 'maybe';
  readonly detail: string;
}

/**
 * Whether a client keeps a folder in step with a cloud or other machines; null: nothing says so. Writes nothing.
 * @param registered folders that clients have registered with Windows
 */
export const syncSign = async (
  real: string,
  variables: Readonly<Record<string, string | undefined>>,
  registered: readonly SyncClaim[] = [],
): Promise<SyncSign | null> => {
  for (const { client, folder } of [...(await readSyncClaims(variables)), ...registered]) {
    // The claim may lead through a link, as the path that is asked about has.
    const claimed = await realpath(folder).catch(() => resolve(folder));
    if (isWithin(claimed, real) || isWithin(folder, real))
      return { certainty: 'sure', detail: `${real} is synchronized with a cloud: ${client} has ${folder}.` };
  }
  const names = real.normalize('NFC').split(/[\\/]/);
  const named = names.find((name) => syncedName.test(name));
  if (named !== undefined)
    return {
      certainty: 'sure',
      detail: `${real} is synchronized with a cloud: "${named}" is such a folder.`,
    };
  const mark = await markAbove(real);
  if (mark !== null)
    return { certainty: 'sure', detail: `${real} is synchronized with other machines: ${mark} says so.` };
  const ambiguous = names.find((name) => ambiguousName.test(name));
  return ambiguous === undefined
    ? null
    : { certainty: 'maybe', detail: `Sync programs name folders "${ambiguous}".` };
};
