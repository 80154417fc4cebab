import { dirname } from 'node:path';
import { postgresBinaries } from './binaries.ts';
import { livingPostmaster } from './stop-family.ts';

/** Whether a postmaster runs on the data folder, by its own process; postmaster.pid outlives a kill or a power cut. */
export const isPostmasterRunning = async (dataFolder: string): Promise<boolean> => {
  const pgCtl =
    process.platform === 'win32' ? (await postgresBinaries(dirname(dataFolder), false)).pgCtl : '';
  return (await livingPostmaster({ dataFolder, pgCtl })) !== null;
};
