import type { ServerConfig } from '../configuration/server-section.ts';
import { faultText } from './program/fault.ts';
import { libraryFault } from './program/libraries.ts';
import { folderObstacle, prepareCommand } from './ways/prepare-command.ts';
import { openSystemdWay } from './ways/systemd-way.ts';
import { openWindowsServiceWay } from './ways/windows-service-way.ts';

/** Why the game could not be started as configured; null when there is no reason. Starts nothing. */
export const serverObstacle = async ({
  folder,
  start,
}: Pick<ServerConfig, 'folder' | 'start'>): Promise<string | null> => {
  if (start.by === 'holder') {
    const prepared = await prepareCommand(folder, start);
    if ('fault' in prepared) return prepared.fault.detail;
    const missing = await libraryFault(prepared.program, folder);
    return missing && faultText(missing);
  }
  const missing = await folderObstacle(folder);
  if (missing !== null) return faultText(missing);
  if (start.by === 'none') return null;
  const way = start.by === 'systemd' ? openSystemdWay(start.unit) : openWindowsServiceWay(start.service);
  const seen = await way.look();
  if (seen.is === 'unknown') return seen.detail;
  // A running game proves its program.
  const unfit = seen.is === 'running' ? null : await way.check();
  return unfit && faultText(unfit);
};
