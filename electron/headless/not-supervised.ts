import { join } from 'node:path';
import { lockHolder } from '#runtime/postgres/family.ts';
import { isPostmasterRunning } from '#runtime/postgres/running-postmaster.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { CommandFailure, exitCodes, notRunning } from './exit-codes.ts';

/** No supervisor answers; a database that still works is no stack that is not running. */
export const notSupervised = async (home: string): Promise<CommandFailure> => {
  const dataFolder = join(postgresFolder(home), 'data');
  const isRunning = await isPostmasterRunning(dataFolder).catch(() => false);
  if (!isRunning) return notRunning(home);
  const pid = await lockHolder(dataFolder).catch(() => null);
  return new CommandFailure(
    `No program supervises the stack in ${home}, but its Postgres${pid === null ? '' : ` (process ${pid})`} still runs. "castellan start" takes over from it. If the stack runs as Windows Services, see: castellan services status`,
    exitCodes.holder,
  );
};
