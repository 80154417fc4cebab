import type { Dirent } from 'node:fs';
import { access, readdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from './path-within.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** A folder that a client's own settings name as synchronized, whatever it is called. */
interface SyncClaim {
  readonly client: string;
  readonly folder: string;
}

/** OneDrive sets one for each account that it synchronizes. */
const oneDriveVariables = ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'] as const;

interface SettingsFile {
  readonly client: string;
  /** Below one of the folders for settings. */
  readonly path: string;
  readonly read: (text: string) => readonly string[];
}

/** `{"personal": {"path": "…"}, "business": {"path": "…"}}` (help.dropbox.com, "find your Dropbox folder"). */
const readDropbox = (text: string): readonly string[] =>
  Object.values(JSON.parse(text) as Record<string, { path?: unknown } | null>)
    .map((account) => account?.path)
    .filter((path) => typeof path === 'string');

/** Qt's form: `0\Folders\1\localPath=C:/Users/J\xf6rg/Cloud/`. */
const readQtIni = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^[^;#=\n]*localPath=(.*?)\r?$/gim), ([, value = '']) =>
    value
      .replace(/^"(.*)"$/, '$1')
      .replace(/\\(?:x([0-9a-f]{1,4})|(.))/gi, (_all, code?: string, other?: string) =>
        code === undefined ? (other ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
      ),
  );

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#34;': '"',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
};

/** The template for new folders is none. */
const readSyncthing = (text: string): readonly string[] =>
  Array.from(
    text.replace(/<defaults>[\s\S]*<\/defaults>/, '').matchAll(/<folder\s[^>]*?\bpath="([^"]*)"/g),
    ([, path = '']) => path.replace(/&[#\w]+;/g, (entity) => entities[entity] ?? entity),
  );

const readLine = (text: string): readonly string[] => [text.trim()];

const settingsFiles: readonly SettingsFile[] = [
  { client: 'Dropbox', path: 'Dropbox/info.json', read: readDropbox },
  { client: 'Dropbox', path: '.dropbox/info.json', read: readDropbox },
  ...['Nextcloud/nextcloud.cfg', 'ownCloud/owncloud.cfg'].map((path) => ({
    ...{ client: path.replace(/\/.*/, ''), path, read: readQtIni },
  })),
  ...['Syncthing/config.xml', 'syncthing/config.xml'].map((path) => ({
    ...{ client: 'Syncthing', path, read: readSyncthing },
  })),
  // files-community/Files: BoxCloudDetector.
  { client: 'Box', path: 'Box/Box/data/shell/sync_root_folder.txt', read: readLine },
  { client: 'Box', path: 'Box Sync/sync_root_folder.txt', read: readLine },
];

/** Where this account's programs keep their settings. */
const settingsFolders = (variables: Variables): readonly string[] => {
  const home = variables.USERPROFILE || variables.HOME || homedir();
  return [
    ...[variables.APPDATA, variables.LOCALAPPDATA, variables.XDG_CONFIG_HOME, variables.XDG_STATE_HOME],
    ...[home, join(home, '.config'), join(home, '.local/state'), join(home, '.local/share')],
  ].filter((folder): folder is string => Boolean(folder));
};

/** The folders that sync clients of this account name in their settings; what cannot be read claims nothing. */
const readSyncClaims = async (variables: Variables): Promise<readonly SyncClaim[]> => {
  const home = variables.USERPROFILE || variables.HOME || homedir();
  const named = oneDriveVariables.map((name) => ({ client: 'OneDrive', folder: variables[name] ?? '' }));
  const read = settingsFolders(variables).flatMap((folder) =>
    settingsFiles.map(async ({ client, path, read }) => {
      try {
        const folders = read(await readFile(join(folder, path), 'utf8'));
        return folders.map((each) => ({ client, folder: each.replace(/^~(?=[\\/]|$)/, home) }));
      } catch {
        return [];
      }
    }),
  );
  return [...named, ...(await Promise.all(read)).flat()].filter(({ folder }) => folder !== '');
};

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
