import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GameAccount } from '../../power/holder/game-account.ts';

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Below an opened folder, which stays the same one whatever is renamed in the meantime. */
const below = ({ fd }: FileHandle, name: string): string => `/proc/self/fd/${fd}/${name}`;

/**
 * Gives the folders in which a change of mods waits to the account that ends the change: earlier agents created them as root. It
 * gives only folders that root alone could have put there: each is inside one of root's.
 * @param folder of the change, from the agent's own journal
 */
export const adoptStage = async (folder: string, account: GameAccount): Promise<void> => {
  await using stack = new AsyncDisposableStack();
  const enter = async (path: string): Promise<FileHandle | null> => {
    try {
      return stack.use(await open(path, folderFlags));
    } catch (error) {
      if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw error;
    }
  };
  const isRoots = async (one: FileHandle) => (await one.stat()).uid === 0;
  const outer = await enter(dirname(folder));
  if (outer === null || !(await isRoots(outer))) return;
  const names = (await readdir(below(outer, '.'))).filter((name) => join(dirname(folder), name) === folder);
  const given = [outer];
  const look = async (parent: FileHandle, name: string): Promise<void> => {
    const inner = await enter(below(parent, name));
    if (inner === null || !(await isRoots(inner))) return;
    given.push(inner);
    for (const entry of await readdir(below(inner, '.'), { withFileTypes: true }))
      if (entry.isDirectory()) await look(inner, entry.name);
  };
  for (const name of names) await look(outer, name);
  // Without the change's own folder in it, no agent has created it.
  if (given.length === 1) return;
  // Inner ones first: once the account owns a folder, it may replace what is in it.
  for (const one of given.toReversed()) await one.chown(account.uid, account.gid);
};
