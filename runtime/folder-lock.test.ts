import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { FolderLockUnavailable, lockFolderWithin, tryToLockFolder } from './folder-lock.ts';

const run = promisify(execFile);
let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder('lock');
});
afterEach(() => folder[Symbol.asyncDispose]());

const program = `
import { tryToLockFolder } from ${JSON.stringify(resolve(import.meta.dirname, 'folder-lock.ts'))};
process.stdout.write((await tryToLockFolder(process.argv[1])) === null ? 'taken' : 'locked');
if (process.argv[2] === 'keep') setInterval(() => undefined, 1000);
`;
const args = (path: string, ...more: string[]) => ['--input-type=module', '--eval', program, path, ...more];

// Guarantee: one process has the lock, by whatever path it names the folder, also when files in the folder come and go; it is
// free again when that process is killed, and a process that was given the descriptor keeps it.
test('one at a time', async () => {
  const link = `${folder.path}-link`;
  await symlink(folder.path, link);
  try {
    const lock = await tryToLockFolder(folder.path);
    expect(await tryToLockFolder(link)).toBeNull();
    await (await open(join(folder.path, 'file'), 'w')).close();
    await rm(join(folder.path, 'file'));
    expect(await lockFolderWithin(folder.path, 100)).toBeNull();
    await lock?.[Symbol.asyncDispose]();
  } finally {
    await rm(link);
  }
  const other = spawn(process.execPath, args(folder.path, 'keep'), { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(String((await once(other.stdout, 'data'))[0])).toBe('locked');
  expect(await tryToLockFolder(folder.path)).toBeNull();
  const exited = once(other, 'exit');
  other.kill('SIGKILL');
  await exited;

  const lock = await lockFolderWithin(folder.path, 5000);
  const heir: ChildProcess = spawn('sleep', ['600'], {
    stdio: ['ignore', 'ignore', 'ignore', lock?.descriptor ?? 'ignore'],
  });
  await once(heir, 'spawn');
  await lock?.[Symbol.asyncDispose]();
  expect(await tryToLockFolder(folder.path)).toBeNull();
  const ended = once(heir, 'exit');
  heir.kill('SIGKILL');
  await ended;
  await using again = await eventually(async () => {
    const free = await tryToLockFolder(folder.path);
    if (free === null) throw new Error('still taken');
    return free;
  });
  expect(again.descriptor).toBeTypeOf('number');
});

// Guarantee: a process in other namespaces, as in another container, and one that knows the folder by a bind mount, find it taken.
test('across namespaces', { tags: ['mount'] }, async () => {
  await using _lock = await tryToLockFolder(folder.path);
  await using mounted = await temporaryFolder('mounted');
  const script = 'mount --bind "$1" "$2"; shift 2; exec "$@"';
  const elsewhere = ['sh', '-ec', script, 'sh', folder.path, mounted.path, process.execPath];
  const { stdout } = await run('unshare', [
    '--net',
    '--pid',
    '--fork',
    '--mount-proc',
    ...elsewhere,
    ...args(mounted.path),
  ]);
  expect(stdout).toBe('taken');
});

// Guarantee: where nothing can be locked, that is said, with what would help.
test('without the program that locks', async () => {
  const before = process.env.PATH;
  const empty = join(folder.path, 'empty');
  await mkdir(empty);
  process.env.PATH = empty;
  try {
    await expect(tryToLockFolder(folder.path)).rejects.toThrow(FolderLockUnavailable);
    await expect(tryToLockFolder(folder.path)).rejects.toThrow('flock of util-linux');
  } finally {
    process.env.PATH = before;
  }
});
