import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { postgresBinaries } from './binaries.ts';
import { spawnOptions } from './postmaster.ts';

const run = promisify(execFile);

export const lockFilePath = (dataFolder: string): string => join(dataFolder, 'postmaster.pid');

/**
 * Whether a postmaster runs on the data folder. Its postmaster.pid alone does not say: it outlives a kill or a power
 * cut, and the number in it may be any other process's by then.
 */
export const isPostmasterRunning = async (dataFolder: string): Promise<boolean> => {
  const pid = await lockedBy(dataFolder);
  if (pid === null) return false;
  return process.platform === 'win32' ? answersPgCtl(dataFolder) : isPostmasterOf(pid, dataFolder);
};

const lockedBy = async (dataFolder: string): Promise<string | null> => {
  const text = await readFile(lockFilePath(dataFolder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return /^\d+/.exec(text)?.[0] ?? null;
};

/** By its command line, which every account may read; the other marks of another account's process are hidden. */
const isPostmasterOf = async (pid: string, dataFolder: string): Promise<boolean> => {
  const commandLine = await readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => '');
  const [program = '', option, folder] = commandLine.split('\0');
  if (basename(program) !== 'postgres' || option !== '-D' || folder === undefined) return false;
  return isSameFolder(folder, dataFolder);
};

const isSameFolder = async (a: string, b: string): Promise<boolean> => {
  const real = (path: string) => realpath(path).catch(() => path);
  return (await real(a)) === (await real(b));
};

/** There pg_ctl asks through a pipe that only a postmaster has. */
const answersPgCtl = async (dataFolder: string): Promise<boolean> => {
  const { pgCtl } = await postgresBinaries(dirname(dataFolder), false);
  return run(pgCtl, ['status', '-D', dataFolder], spawnOptions(null, dataFolder)).then(
    () => true,
    () => false,
  );
};
