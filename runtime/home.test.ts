import { chmod, chown, lchown, mkdir, readdir, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { filesBeside } from './backup/backup-manifest.ts';
import { foreignAccess } from './foreign-access.ts';
import { makeHome } from './home.ts';
import { writableByOthers } from './owned-path.ts';
import { StartupError } from './program.ts';

const isRoot = process.getuid?.() === 0;
/** Everywhere `daemon`. */
const mallory = 1;
const nobody = 65_534;

/** A file or folder, with the folders to it, that belongs to the account. */
const put = async (path: string, uid: number, content?: string) => {
  await mkdir(content === undefined ? path : dirname(path), { recursive: true });
  if (content !== undefined) await writeFile(path, content, { mode: 0o600 });
  await chown(path, uid, uid);
};

const openFolder = async () => {
  const folder = await temporaryFolder('home');
  return { folder, home: join(await realpath(folder.path), 'castellan') };
};

const asAccount = async (uid: number, work: () => Promise<void>) => {
  process.seteuid?.(uid);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
};

interface Case {
  readonly name: string;
  /** What was there before. */
  readonly before: (home: string) => Promise<void>;
  /** By whom the folder is taken; root. */
  readonly uid?: number;
  /** Why it is refused; taken: it is ours alone then. */
  readonly refused?: RegExp;
}

const cases: readonly Case[] = [
  { name: 'nothing', before: async () => undefined },
  { name: 'an empty folder of another account', before: (home) => put(home, mallory) },
  {
    name: 'an empty folder that all may write',
    async before(home) {
      await mkdir(home);
      await chmod(home, 0o777);
    },
  },
  {
    name: 'an empty folder that a group may write',
    async before(home) {
      await mkdir(home);
      await chmod(home, 0o2770);
    },
  },
  {
    name: 'a shared folder such as /tmp above it',
    before: (home) => chmod(dirname(home), 0o1777),
  },
  {
    name: 'our own files',
    async before(home) {
      await put(join(home, 'backups/one/file'), 0, '');
      await put(join(home, 'link'), 0);
    },
  },
  {
    name: 'a planted installation',
    async before(home) {
      await put(home, mallory);
      await put(join(home, '.env'), mallory, 'DATABASE_URL=postgresql://mallory');
      await put(join(home, 'postgres/data'), mallory);
    },
    refused: /castellan belongs to the account daemon.*sudo -u daemon.*chown -R root/,
  },
  {
    name: 'a folder of another account with files of its own',
    async before(home) {
      await put(home, mallory);
      await put(join(home, 'postgres/bin/initdb'), mallory, '#!/bin/sh');
    },
    refused: /castellan belongs to the account daemon/,
  },
  {
    name: 'settings planted into our folder, which all may write',
    async before(home) {
      await mkdir(home);
      await chmod(home, 0o777);
      await put(join(home, '.env'), mallory, '');
    },
    refused: /belongs to the account daemon/,
  },
  {
    name: 'a file planted deep in our folder',
    before: (home) => put(join(home, 'postgres/bin/initdb'), mallory, '#!/bin/sh'),
    refused: /initdb belongs to the account daemon.*move it away/,
  },
  {
    name: 'a link of another account to a folder of ours',
    async before(home) {
      await mkdir(`${home}-real`);
      await symlink(`${home}-real`, home);
      await lchown(home, mallory, mallory);
    },
    refused: /castellan belongs to the account daemon/,
  },
  {
    name: 'a folder of another account above it',
    before: (home) => chown(dirname(home), mallory, mallory),
    refused: /belongs to the account daemon/,
  },
  {
    name: 'a folder above it that all may write',
    before: (home) => chmod(dirname(home), 0o777),
    refused: /chmod go-w/,
  },
  {
    name: 'for an ordinary account: an empty folder of another one that all may write',
    async before(home) {
      await put(home, mallory);
      await chmod(home, 0o777);
    },
    uid: nobody,
    refused: /belongs to the account daemon.*sudo -u daemon.*another folder/,
  },
  {
    name: 'for an ordinary account: its own folder that all may write, in a shared one',
    async before(home) {
      await chmod(dirname(home), 0o1777);
      await put(home, nobody);
      await chmod(home, 0o777);
    },
    uid: nobody,
  },
];

// Guarantee: a folder that was there before is taken only if no other account can decide what is in it; otherwise it stays as it
// is, and the refusal says why and what to do.
testIf(isRoot).for(cases)('$name', async ({ before, uid = 0, refused }) => {
  const { folder, home } = await openFolder();
  await using _folder = folder;
  await before(home);
  const look = async () =>
    [await stat(home).catch(() => null), await readdir(home).catch(() => null)] as const;
  const [was, had] = await look();
  await asAccount(uid, async () => {
    if (refused === undefined) return makeHome(home);
    const error = await makeHome(home).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toMatch(refused);
  });
  const [is, has] = await look();
  if (refused !== undefined) {
    expect([is?.uid, has]).toEqual([was?.uid, had]);
    return;
  }
  expect(is?.uid).toBe(uid);
  expect((is?.mode ?? 0) & writableByOthers).toBe(0);
  expect(has).toContain('logs');
  await asAccount(uid, async () => expect(await foreignAccess(home)).toEqual([]));
});

const installations = [
  { name: 'ours', before: async () => undefined, says: null },
  {
    name: 'ours, which a group may write',
    before: (home: string) => chmod(home, 0o770),
    says: /Other accounts may change .*castellan,.*chmod go-w/,
  },
  {
    name: 'with settings of another account',
    before: (home: string) => chown(join(home, '.env'), mallory, mallory),
    says: /daemon may change .*\.env,.*chown root/,
  },
  {
    name: 'of another account, which root has run until now',
    async before(home: string) {
      await chown(home, mallory, mallory);
      await chown(join(home, '.env'), mallory, mallory);
    },
    says: /daemon may change .*castellan,.*chown root/,
  },
];

// Guarantee: an installation of ours starts and keeps its rights, and it is told who else may change it.
testIf(isRoot).for(installations)('an installation: $name', async ({ before, says }) => {
  const { folder, home } = await openFolder();
  await using _folder = folder;
  await makeHome(home);
  await put(join(home, '.env'), 0, '');
  await before(home);
  const was = await stat(home);
  await makeHome(home);
  expect(await stat(home)).toMatchObject({ uid: was.uid, mode: was.mode });
  const found = await foreignAccess(home);
  if (says === null) expect(found).toEqual([]);
  else expect(found).toEqual([{ words: expect.stringMatching(says), isOpen: true }]);
});

// Guarantee: no one else can change unnoticed what belongs to an installation. A new file among those that a backup takes along is
// looked at by `foreignAccess`.
testIf(isRoot).for(filesBeside)('%s of another account', async (file) => {
  const { folder, home } = await openFolder();
  await using _folder = folder;
  await makeHome(home);
  await put(join(home, file), mallory, '');
  expect(await foreignAccess(home)).toEqual([{ words: expect.stringContaining(file), isOpen: true }]);
});

// Guarantee: a folder that cannot be made is said in one sentence.
test('a home that cannot be made', async () => {
  await expect(makeHome(`${process.execPath}/home`)).rejects.toThrow(
    /The data folder .*home cannot be written to: (?:ENOTDIR|EEXIST)/,
  );
});
