import type { ServerConfig } from '../configuration/server-section.ts';
import { folderObstacle, prepareCommand } from './ways/holder-way.ts';
import { openSystemdWay } from './ways/systemd-way.ts';
import { openWindowsServiceWay } from './ways/windows-service-way.ts';

/** Why the game could not be started as configured; null when there is no reason. Starts nothing. */
export const serverObstacle = async ({ folder, start }: ServerConfig): Promise<string | null> => {
  if (start.by === 'holder') {
    const prepared = await prepareCommand(folder, start);
    return 'fault' in prepared ? prepared.fault : null;
  }
  const missing = await folderObstacle(folder);
  if (missing !== null) return missing;
  if (start.by === 'none') return null;
  const way = start.by === 'systemd' ? openSystemdWay(start.unit) : openWindowsServiceWay(start.service);
  const seen = await way.look();
  return seen.is === 'unknown' ? seen.detail : null;
};
