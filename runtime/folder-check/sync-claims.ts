import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

/** A folder that a client's own settings name as synchronized, whatever it is called. */
export interface SyncClaim {
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
export const readSyncClaims = async (variables: Variables): Promise<readonly SyncClaim[]> => {
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
