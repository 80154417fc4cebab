import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { postgresBinaries } from './binaries.ts';
import { lockFilePath } from './family.ts';
import { livingPostmaster } from './stop-family.ts';

/** Whether a postmaster runs on the data folder, judged by its process; postmaster.pid outlives a kill or a power cut. */
export const isPostmasterRunning = async (dataFolder: string): Promise<boolean> => {
  const pgCtl =
    process.platform === 'win32' ? (await postgresBinaries(dirname(dataFolder), false)).pgCtl : '';
  return (await livingPostmaster({ dataFolder, pgCtl })) !== null;
};

const portLine = 3;

/** The port on which the postmaster of a data folder accepts connections; null when none runs. */
export const runningPort = async (dataFolder: string): Promise<number | null> => {
  if (!(await isPostmasterRunning(dataFolder))) return null;
  // Written by Postgres: process id, folder, start, port, …
  const lines = (await readFile(lockFilePath(dataFolder), 'utf8')).split('\n');
  return Number(lines[portLine]) || null;
};
