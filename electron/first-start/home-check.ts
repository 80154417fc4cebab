import { existsSync } from 'node:fs';
import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse } from 'node:path';
import type { HomeReport } from '#contracts/desktop-first-run.ts';
import { accessTo, noAccessWords } from '#runtime/path-access.ts';
import { pathCodePage } from '#runtime/postgres/path-code-page.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { lettersOutside } from './code-page.ts';
import { impossibleName } from './folder-name.ts';

type HomeCheck = Exclude<HomeReport, { outcome: 'taken-up' }> | { readonly outcome: 'taken-up' };

/**
 * Whether an installation can live in a folder, which need not exist yet. Leaves nothing behind.
 * @param codePage in which Postgres receives paths; null where it accepts any letter
 */
export const checkHome = async (home: string, codePage = pathCodePage): Promise<HomeCheck> => {
  const { root } = parse(home);
  // Without a drive letter, a Windows path is on whatever drive the program was started from.
  if (!isAbsolute(home) || (process.platform === 'win32' && /^[\\/]$/.test(root)))
    return { outcome: 'not-absolute', detail: 'Enter the full path of the folder.' };
  const impossible = process.platform === 'win32' ? impossibleName(home) : undefined;
  if (impossible !== undefined)
    return { outcome: 'not-writable', detail: `Windows does not allow a folder named "${impossible}".` };
  const letters = lettersOutside(await codePage(), home);
  if (letters.length > 0)
    return {
      outcome: 'unspellable',
      detail: `On this machine, the database cannot use a folder with these letters: ${letters.join(' ')}`,
    };
  if (!existsSync(root)) return { outcome: 'no-drive', detail: `There is no drive ${root}.` };
  const access = accessTo(stackEnvPath(home));
  if (access === 'closed' || accessTo(postgresFolder(home)) === 'closed')
    return { outcome: 'no-access', detail: noAccessWords(home) };
  try {
    const nearest = await nearestThere(home);
    if (!nearest.isFolder)
      return { outcome: 'not-a-folder', detail: `${nearest.path} is a file, not a folder.` };
    await rmdir(await mkdtemp(join(nearest.path, '.castellan-')));
  } catch (error) {
    return { outcome: 'not-writable', detail: (error as Error).message };
  }
  if (access === 'there') return { outcome: 'taken-up' };
  if (existsSync(join(postgresFolder(home), 'data')))
    return { outcome: 'key-lost', detail: 'There is a database here, but its .env file is missing.' };
  return { outcome: 'new' };
};

/** The folder itself, or its closest existing parent. */
const nearestThere = async (path: string): Promise<{ path: string; isFolder: boolean }> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    // A part of the path is a file: the search further up finds it.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (found) return { path, isFolder: found.isDirectory() };
  return nearestThere(dirname(path));
};
