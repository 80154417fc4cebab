import { setUpOutside } from '#runtime/outside/outside.ts';
import { isThere } from '#runtime/path-access.ts';
import { readStackConfig, type StackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { demandOwnHome } from '../data-folder/move-marks.ts';
import { notRunning } from './exit-codes.ts';

/** The configuration of a data folder that was started before; a command that only looks creates none. */
export const readInstallation = async (home: string): Promise<StackConfig> => {
  await demandOwnHome(home);
  if (!isThere(stackEnvPath(home), home)) throw notRunning(home);
  const config = await readStackConfig(home);
  setUpOutside(config.outside);
  return config;
};
