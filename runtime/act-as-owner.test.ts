import { execFile } from 'node:child_process';
import { chmod, chown, lchown, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { actAsOwner } from './act-as-owner.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const program = `
import { writeFile } from 'node:fs/promises';
import { actAsOwner } from ${JSON.stringify(resolve(import.meta.dirname, 'act-as-owner.ts'))};
await actAsOwner(process.argv[1]);
await writeFile(process.argv[1] + '/left', '');
`;
const act = (home: string, ...before: string[]) => {
  const [file = '', ...args] = [...before, process.execPath, '--input-type=module', '--eval', program, home];
  return run(file, args);
};
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];

/** With settings that only that account may read. */
const homeOf = async (uid: number) => {
  const home = await temporaryFolder('home');
  await chmod(home.path, 0o711);
  await writeFile(join(home.path, '.env'), '', { mode: 0o600 });
  await mkdir(join(home.path, 'postgres/data'), { recursive: true });
  for (const name of ['', '.env', 'postgres', 'postgres/data']) await chown(join(home.path, name), uid, uid);
  return home;
};

// Guarantee: what a command of root's leaves in the data folder of another account belongs to that account.
testIf(isRoot)('root acts as the owner', async () => {
  await using home = await homeOf(nobody);
  await act(home.path);
  expect((await stat(join(home.path, 'left'))).uid).toBe(nobody);
  await rm(join(home.path, 'left'));
  // Root has run it: which account is right cannot be told.
  await chown(join(home.path, 'postgres/data'), 1, 1);
  await act(home.path);
  expect((await stat(join(home.path, 'left'))).uid).toBe(0);
});

// Guarantee: an account cannot have root act as itself in its folder by links to what belongs to root.
testIf(isRoot).each(['.env', 'postgres', 'postgres/data'])('a link at %s', async (name) => {
  await using home = await homeOf(nobody);
  await using roots = await temporaryFolder('of-root');
  await mkdir(join(roots.path, 'data'));
  const path = join(home.path, name);
  await rm(path, { recursive: true });
  await symlink(name === '.env' ? '/etc/passwd' : roots.path, path);
  await lchown(path, nobody, nobody);
  await act(home.path);
  expect((await stat(join(home.path, 'left'))).uid).toBe(nobody);
});

// Guarantee: that holds before the first start, too, for a folder that was made for the account.
testIf(isRoot)('a folder without an installation yet', async () => {
  await using home = await temporaryFolder('home');
  await chown(home.path, nobody, nobody);
  await act(home.path);
  expect((await stat(join(home.path, 'left'))).uid).toBe(nobody);
});

// Guarantee: another account is told which one may, and leaves nothing.
testIf(isRoot)('another account', async () => {
  await using home = await homeOf(1);
  await expect(act(home.path, ...asNobody)).rejects.toThrow(/belongs to the account daemon.*sudo -u daemon/);
  expect(await readdir(home.path)).toEqual(['.env', 'postgres']);
});

// Guarantee: the owner's own command and a folder without an installation are left alone.
test('nothing to do', async () => {
  await using home = await homeOf(process.getuid?.() ?? 0);
  await actAsOwner(home.path);
  await rm(join(home.path, '.env'));
  await actAsOwner(home.path);
  await actAsOwner(join(home.path, 'not there'));
});
