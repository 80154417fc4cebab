import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { foreignOnWindows } from '../foreign-access.ts';
import { serviceSid } from './service-sid.ts';
import { takeOnWindows } from './take-on-windows.ts';

const own = 'S-1-5-21-1004336348-1177238915-682003330-1001';
const mallory = 'S-1-5-21-1004336348-1177238915-682003330-1002';
const colleague = 'S-1-5-21-1004336348-1177238915-682003330-1003';
const bot = serviceSid('Castellan-Bot');
const closed = `D:PAI(A;OICI;FA;;;${own})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`;
/** What everything in ProgramData inherits. */
const open =
  'D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)';

interface Windows {
  /** What Windows says of the folder; null: PowerShell does not run. */
  readonly folder?: string | null;
  /** And of files in it, by name; null: they are too many. */
  readonly files?: Readonly<Record<string, string>> | null;
  readonly runsAs?: string;
  /** Called when the folder is closed. */
  readonly onClose?: () => Promise<void>;
}

/** The programs of Windows, which these tests do not have. */
const windows = (home: string, { folder = null, files = {}, runsAs = own, onClose }: Windows) => {
  const calls: string[][] = [];
  const run = async (program: string, args: readonly string[]) => {
    if (program === 'whoami.exe') return `"büro\\eva","${runsAs}"\r\n`;
    if (program === 'icacls.exe') {
      calls.push(args.slice(1));
      if (args.includes('/inheritance:r')) await onClose?.();
      return '';
    }
    if (folder === null) throw new Error('disabled');
    const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
    if (script.includes('Translate')) return script.includes(mallory) ? 'BÜRO\\mallory\r\n' : '';
    const isDeep = !script.endsWith(` 0 } catch { 'path ' + '${home.replaceAll("'", "''")}'; 'sddl ' }`);
    if (isDeep && files === null) throw new Error('too slow');
    const lines = Object.entries(isDeep ? (files ?? {}) : {}).flatMap(([name, sddl]) => [
      `path ${join(home, name)}`,
      `sddl ${sddl}`,
    ]);
    return [`member ${colleague}`, `path ${home}`, `sddl ${folder}`, ...lines, ''].join('\r\n');
  };
  return { run, calls };
};

const close = [
  '/inheritance:r',
  '/grant:r',
  `*${own}:(OI)(CI)F`,
  '*S-1-5-18:(OI)(CI)F',
  '*S-1-5-32-544:(OI)(CI)F',
];
const openHome = async () => {
  const outer = await temporaryFolder('windows');
  return { outer, home: join(outer.path, "it's Castellan") };
};
const isInstalled = (home: string) => existsSync(join(home, '.env'));

// Guarantee: a new folder is closed before anything is in it; what another account put there meanwhile is not trusted.
test('a new folder', async () => {
  const { outer, home } = await openHome();
  await using _outer = outer;
  const { run, calls } = windows(home, {});
  await takeOnWindows(home, isInstalled, run);
  expect(calls).toEqual([close]);
  const raced = join(outer.path, 'raced');
  const plant = () => writeFile(join(raced, '.env'), '');
  await expect(takeOnWindows(raced, isInstalled, windows(raced, { onClose: plant }).run)).rejects.toThrow(
    /another account put \.env into it/,
  );
});

// Guarantee: an empty folder that another account made is replaced by a new one, and ours loses the rights given on it by name; any
// of them is closed then.
test('an empty folder', async () => {
  const { outer, home } = await openHome();
  await using _outer = outer;
  await mkdir(home);
  const { ino } = await stat(home);
  const ours = windows(home, { folder: `O:BA${open}` });
  await takeOnWindows(home, isInstalled, ours.run);
  expect(ours.calls).toEqual([['/reset'], close]);
  expect((await stat(home)).ino).toBe(ino);

  const foreign = windows(home, { folder: `O:${mallory}${open}` });
  // Otherwise the file system may give the number again.
  await writeFile(join(outer.path, 'spacer'), '');
  await takeOnWindows(home, isInstalled, foreign.run);
  expect(foreign.calls).toEqual([close]);
  expect(await readdir(home)).toEqual([]);
});

const refused = [
  {
    name: 'a planted imitation',
    plant: '.env',
    of: { folder: `O:${mallory}${open}` },
    says: /BÜRO\\mallory.*\/setowner/,
  },
  {
    name: 'a folder with files',
    plant: 'node.exe',
    of: { folder: `O:${mallory}${open}` },
    says: /BÜRO\\mallory/,
  },
  {
    name: 'a folder that we may not look at',
    plant: '.env',
    of: { folder: '' },
    says: /Windows does not tell us/,
  },
  {
    name: 'a planted file in a folder of ours',
    plant: 'agent.mjs',
    of: { folder: `O:BA${open}`, files: { 'agent.mjs': `O:${mallory}${open}` } },
    says: /agent\.mjs belongs to the account BÜRO\\mallory/,
  },
  {
    name: 'more files than can be looked at',
    plant: 'agent.mjs',
    of: { folder: `O:BA${open}`, files: null },
    says: /takes too long/,
  },
];

// Guarantee: what another account made does not count as an installation and is not used, whatever is in it; nothing is changed.
test.for(refused)('$name', async ({ plant, of, says }) => {
  const { outer, home } = await openHome();
  await using _outer = outer;
  await mkdir(home);
  await writeFile(join(home, plant), '');
  const { run, calls } = windows(home, of);
  await expect(takeOnWindows(home, isInstalled, run)).rejects.toThrow(says);
  expect(calls).toEqual([]);
  expect(await readdir(home)).toEqual([plant]);
});

// Guarantee: a link without an installation behind it is never closed, since that would close the folder that it leads to.
test('a link', async () => {
  const { outer, home } = await openHome();
  await using _outer = outer;
  await symlink(outer.path, home);
  const { run, calls } = windows(home, { folder: `O:BA${open}` });
  await expect(takeOnWindows(home, isInstalled, run)).rejects.toThrow('is a link');
  expect(calls).toEqual([]);
});

const kept = [
  { name: 'ours', of: { folder: `O:${own}${closed}` } },
  { name: 'of the administrators', of: { folder: `O:BA${closed}` } },
  { name: 'of a person who is an administrator', of: { folder: `O:${colleague}${closed}` } },
  {
    name: 'of another account, which a service of ours works on',
    of: { folder: `O:${mallory}${open}`, runsAs: bot },
  },
  { name: 'on a Windows without PowerShell', of: { folder: null } },
];

// Guarantee: an installation of ours keeps the rights that someone gave it.
test.for(kept)('an installation $name', async ({ of }) => {
  const { outer, home } = await openHome();
  await using _outer = outer;
  await mkdir(home);
  await writeFile(join(home, '.env'), '');
  const { run, calls } = windows(home, of);
  await takeOnWindows(home, isInstalled, run);
  expect(calls).toEqual([]);
});

// Guarantee: each account besides ours, Windows, the administrators and our services is told once, with a command for it; a group of
// many is told apart from a single account.
test('who else may change an installation', async () => {
  const home = 'C:\\ProgramData\\Castellan';
  const of = (folder: string, files: Readonly<Record<string, string>> = {}) =>
    foreignOnWindows(home, windows(home, { folder, files }).run);
  expect(await of(`O:${own}${closed}(A;;0x1200a9;;;${bot})`)).toEqual([]);
  expect(await of(`O:${own}${open}`, { '.env': `O:${mallory}${open}` })).toEqual([
    {
      words: expect.stringContaining(`S-1-5-32-545 may change ${home}, and`),
      isOpen: true,
    },
    {
      words: expect.stringMatching(
        /BÜRO\\mallory may change .*\.env, .*icacls ".*\.env" \/setowner \*S-1-5-32-544$/,
      ),
      isOpen: false,
    },
  ]);
});
