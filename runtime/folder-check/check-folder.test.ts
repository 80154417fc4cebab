import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import type { FolderFacts } from '../windows/folder-facts.ts';
import { checkFolder, refusalIn } from './check-folder.ts';
import { demandBackupFolder, demandDataFolder } from './demand-folder.ts';
import { lengthFault, longestHome } from './path-length.ts';
import { type FolderAsker, folderAskers } from './verdicts.ts';

const usual: FolderFacts = {
  drive: 'fixed',
  isEncrypted: false,
  isCompressed: false,
  syncRoots: [],
  protectedFolders: [],
};
/** What Windows would answer there; everything else is asked of this machine. */
const windows = (facts: Partial<FolderFacts>) => ({ facts: async () => ({ ...usual, ...facts }) });

const codesFor = async (path: string, asker: FolderAsker, facts: Partial<FolderFacts>) => {
  const findings = await checkFolder(path, { asker, variables: {}, system: windows(facts) });
  return findings.map(({ code, verdict }) => `${verdict} ${code}`);
};

// Guarantee: one finding means the same wherever it is asked for a database; what runs is warned, and a backup may go further.
test('who asks about a folder', async () => {
  await using folder = await temporaryFolder('folders');
  const path = join(folder.path, 'castellan');
  const table: readonly [Partial<FolderFacts>, Partial<Record<FolderAsker, string>>][] = [
    [{}, {}],
    [
      { drive: 'network' },
      { 'new-home': 'refused', move: 'refused', 'present-home': 'warned', programs: 'warned' },
    ],
    [
      { isEncrypted: true },
      {
        'new-home': 'refused',
        move: 'refused',
        'present-home': 'warned',
        programs: 'warned',
        backup: 'warned',
      },
    ],
    [
      { syncRoots: [folder.path] },
      {
        'new-home': 'refused',
        move: 'refused',
        'present-home': 'warned',
        programs: 'warned',
        backup: 'warned',
      },
    ],
    [
      { protectedFolders: [folder.path] },
      { 'new-home': 'refused', move: 'refused', 'present-home': 'warned' },
    ],
    [
      { drive: 'removable' },
      { 'new-home': 'warned', move: 'warned', 'present-home': 'warned', programs: 'warned' },
    ],
    [{ isCompressed: true }, { 'new-home': 'warned', move: 'warned', 'present-home': 'warned' }],
  ];
  for (const [facts, expected] of table)
    for (const asker of folderAskers) {
      const verdicts = (await codesFor(path, asker, facts)).map((each) => each.split(' ')[0]);
      expect([facts, asker, verdicts]).toEqual([facts, asker, expected[asker] ? [expected[asker]] : []]);
    }
  expect(await readdir(folder.path)).toEqual([]);
});

// Guarantee: a folder that a client names in its own settings is known whatever it is called, also behind a link.
test('folders that sync clients name in their settings', async () => {
  await using folder = await temporaryFolder('folders');
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const put = async (path: string, text: string) => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  };
  for (const name of ['private', 'work', 'Jörg & Söhne', 'next', 'own', 'thing', 'box', 'free', 'one'])
    await mkdir(at(name));
  const account = (path: string) => ({ path, host: 1, is_team: false });
  await put(
    at('roaming/Dropbox/info.json'),
    JSON.stringify({ personal: account(at('private')), business: account(at('work')) }),
  );
  await put(
    at('roaming/Nextcloud/nextcloud.cfg'),
    `[Accounts]\r\n0\\Folders\\1\\localPath=${at('J\\xf6rg & S\\xf6hne')}/\r\n0\\Folders\\2\\localPath="${at('next')}"\r\n0\\Folders\\1\\ignoreHiddenFiles=false\r\n`,
  );
  await put(at('local/ownCloud/owncloud.cfg'), `0\\Folders\\1\\localPath=${at('own')}\n`);
  await put(
    at('local/Syncthing/config.xml'),
    `<configuration><folder id="a" label="b" path="${at('thing')}" type="sendreceive"></folder><defaults><folder id="" path="${folder.path}"></folder></defaults></configuration>`,
  );
  await put(at('local/Box/Box/data/shell/sync_root_folder.txt'), `${at('box')}\n`);
  await put(at('local/broken/info.json'), '{');
  const variables = {
    APPDATA: at('roaming'),
    LOCALAPPDATA: at('local'),
    HOME: at('no home'),
    OneDrive: at('one'),
  };
  const check = async (path: string) =>
    refusalIn(await checkFolder(path, { asker: 'new-home', variables }))?.code ?? null;
  for (const name of ['private', 'work', 'Jörg & Söhne', 'next', 'own', 'thing', 'box', 'one'])
    expect([name, await check(at(name, 'a', 'b'))]).toEqual([name, 'synced']);
  await symlink(at('work'), at('link'));
  expect(await check(at('link', 'castellan'))).toBe('synced');
  expect(await check(at('free', 'castellan'))).toBeNull();
  expect(await check(at('workshop'))).toBeNull();
});

// Guarantee: names that only clients give are refused; those that people give, too, are warned of.
test('names of sync folders', async () => {
  await using folder = await temporaryFolder('folders');
  const check = (name: string) =>
    checkFolder(join(folder.path, name, 'x'), { asker: 'new-home', variables: { HOME: folder.path } });
  for (const name of [
    'Dropbox (Personal)',
    'The Keep Dropbox',
    'Dropbox (Old)',
    'OneDrive - The Keep',
    'iCloud Drive',
    'Mój dysk'.normalize('NFD'),
  ])
    expect([name, refusalIn(await check(name))?.code]).toEqual([name, 'synced']);
  for (const name of ['Sync', 'Syncthing', 'Drive', 'Cloud', 'my cloud', 'Sync (2)'])
    expect([name, await check(name)]).toMatchObject([name, [{ code: 'maybe-synced', verdict: 'warned' }]]);
  for (const name of ['Dropboxes', 'Driver', 'Cloudburst', 'Synchron', 'overdrive'])
    expect([name, await check(name)]).toEqual([name, []]);
});

// Guarantee: a path that Postgres could not open is refused with its length and the limit, on either system, before anything is made.
test('paths that are too long', async () => {
  const most = longestHome('win32');
  const long = (length: number) => `D:\\${'n'.repeat(length - 3)}`;
  expect(lengthFault(long(most), 'win32')).toBeNull();
  expect(lengthFault(long(224), 'win32')).toMatch(new RegExp(`has 224 characters, and at most ${most} are`));
  // Windows counts letters, Linux bytes.
  expect(lengthFault('ü'.repeat(most), 'win32')).toBeNull();
  expect(lengthFault(`/${'ü'.repeat(500)}`, 'linux')).toMatch(/has 1001 characters/);
  await using folder = await temporaryFolder('folders');
  const deep = join(folder.path, ...Array.from({ length: 5 }, () => 'n'.repeat(200)));
  const system = { platform: 'win32' } as const;
  const [finding] = await checkFolder(deep, { asker: 'new-home', variables: {}, system });
  expect(finding).toMatchObject({ code: 'too-long', verdict: 'refused' });
  expect(await readdir(folder.path)).toEqual([]);
});

// Guarantee: a folder whose path cmd.exe and the services would change is refused where it is chosen, and named by that also where it
// is no full path.
test('paths with the name of a variable', async () => {
  await using folder = await temporaryFolder('folders');
  const check = async (path: string, asker: FolderAsker) => {
    const system = { ...windows({}), platform: 'win32', codePage: async () => 65_001 } as const;
    const [first] = await checkFolder(path, { asker, variables: {}, system });
    return first ? `${first.verdict} ${first.code} ${first.detail}` : null;
  };
  const path = join(folder.path, 'a %TEMP% b', 'x');
  const words = 'variable Windows reads %TEMP% as a variable.';
  expect(await Promise.all(folderAskers.map((asker) => check(path, asker)))).toEqual([
    `refused ${words}`,
    `refused ${words}`,
    `warned ${words}`,
    `refused ${words}`,
    null,
  ]);
  expect(await check('%ProgramData%\\Castellan', 'new-home')).toMatch('refused variable');
  expect(await check(join(folder.path, '100%', 'x'), 'new-home')).toBeNull();
  expect(await readdir(folder.path)).toEqual([]);
});

// Guarantee: commands refuse a bad folder for a new installation, and use one that is there with a warning; backups may go further.
test('what commands are told', async () => {
  await using folder = await temporaryFolder('folders');
  const home = join(folder.path, 'Dropbox', 'castellan');
  const question = { variables: { HOME: folder.path } };
  await expect(demandDataFolder(home, question)).rejects.toThrow(`${home} cannot be the data folder.`);
  expect(await readdir(folder.path)).toEqual([]);
  expect(await demandBackupFolder(home, question)).toMatchObject([expect.stringContaining('"Dropbox"')]);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, '.env'), '');
  expect(await demandDataFolder(home, question)).toMatchObject([expect.stringContaining('warning: ')]);
  const free = join(folder.path, 'castellan');
  expect(await demandDataFolder(free, question)).toEqual([]);
  // A warning says what the finding means, not that data is lost where it is not.
  expect(await demandDataFolder(free, { ...question, system: windows({ isCompressed: true }) })).toEqual([
    expect.stringMatching(/^warning: Windows compresses .*, which makes the database slow\./),
  ]);
  await writeFile(join(folder.path, 'file'), '');
  await expect(demandBackupFolder(join(folder.path, 'file', 'x'), question)).rejects.toThrow('is a file');
  await expect(demandDataFolder(home, { ...question, neededBytes: 2 ** 60 })).resolves.toHaveLength(1);
  const full = demandDataFolder(join(folder.path, 'new'), { ...question, neededBytes: 2 ** 60 });
  await expect(full).rejects.toThrow(/GB are free\. .* need 1152921504\.6 GB/);
});

// Guarantee: an installation that is there is refused by commands, too, where nothing could run: with the account and the folder.
testIf(process.getuid?.() === 0)('a data folder that cannot be written to', async () => {
  await using folder = await temporaryFolder('folders');
  const home = join(folder.path, 'home');
  await mkdir(home, { mode: 0o755 });
  await writeFile(join(home, '.env'), '');
  await chmod(folder.path, 0o755);
  process.seteuid?.(65_534);
  try {
    await expect(demandDataFolder(home, { variables: {} })).rejects.toThrow(
      new RegExp(`cannot be the data folder\\. The account .* has no access to ${home}\\.`),
    );
  } finally {
    process.seteuid?.(0);
  }
});

const program = `
import { checkFolder } from ${JSON.stringify(resolve(import.meta.dirname, 'check-folder.ts'))};
const asked = { asker: process.argv[2], variables: {} };
console.log(JSON.stringify(await checkFolder(process.argv[1], asked)));
`;

// Guarantee: a disk that can only be read is named as such, for a database and for a backup.
testIf(process.getuid?.() === 0)('a disk that can only be read', async () => {
  await using folder = await temporaryFolder('folders');
  const mounted =
    'mount -t tmpfs -o ro none "$1" && exec "$0" --input-type=module --eval "$2" "$1/home" "$3"';
  for (const asker of ['new-home', 'backup'] satisfies FolderAsker[]) {
    const args = ['--mount', 'sh', '-c', mounted, process.execPath, folder.path, program, asker];
    const { stdout } = await promisify(execFile)('unshare', args);
    expect(JSON.parse(stdout)).toMatchObject([{ code: 'read-only', verdict: 'refused' }]);
  }
});
