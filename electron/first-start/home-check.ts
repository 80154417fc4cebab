import { existsSync } from 'node:fs';
import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse } from 'node:path';
import type { HomeReport } from '#contracts/desktop-first-run.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { lettersOutside, pathCodePage } from './code-page.ts';
import { impossibleName } from './folder-name.ts';

/**
 * Whether an installation can live in a folder, which need not be there yet. Leaves nothing behind.
 * @param codePage in which Postgres is told paths; null where it takes any letter
 */
export const checkHome = async (home: string, codePage = pathCodePage): Promise<HomeReport> => {
  const { root } = parse(home);
  // Without its letter a path of Windows is on whatever drive the program was started from.
  if (!isAbsolute(home) || (process.platform === 'win32' && /^[\\/]$/.test(root)))
    return { outcome: 'not-absolute', detail: 'The folder has to be written in full.' };
  const impossible = process.platform === 'win32' ? impossibleName(home) : undefined;
  if (impossible !== undefined)
    return { outcome: 'not-writable', detail: `Windows lets no folder be called "${impossible}".` };
  const letters = lettersOutside(await codePage(), home);
  if (letters.length > 0)
    return {
      outcome: 'unspellable',
      detail: `The database cannot work in a folder with these letters on this machine: ${letters.join(' ')}`,
    };
  if (!existsSync(root)) return { outcome: 'no-drive', detail: `There is no drive ${root}.` };
  try {
    const nearest = await nearestThere(home);
    if (!nearest.isFolder) return { outcome: 'not-a-folder', detail: `${nearest.path} is a file.` };
    await rmdir(await mkdtemp(join(nearest.path, '.castellan-')));
  } catch (error) {
    return { outcome: 'not-writable', detail: (error as Error).message };
  }
  if (existsSync(stackEnvPath(home))) return { outcome: 'taken-up' };
  if (existsSync(join(postgresFolder(home), 'data')))
    return { outcome: 'key-lost', detail: 'There is a database, but its .env is not there any more.' };
  return { outcome: 'new' };
};

/** The folder itself, or the closest one above it that is there. */
const nearestThere = async (path: string): Promise<{ path: string; isFolder: boolean }> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    // A part of the path is a file: it is found further up.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (found) return { path, isFolder: found.isDirectory() };
  return nearestThere(dirname(path));
};
