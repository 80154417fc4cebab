import { statSync } from 'node:fs';
import type { ServerConfig } from '../configuration/server-section.ts';
import { prepareCommand } from './ways/holder-way.ts';
import { openSystemdWay } from './ways/systemd-way.ts';
import { openWindowsServiceWay } from './ways/windows-service-way.ts';

/** Why the game could not be started as the configuration says; null when nothing speaks against it. Starts nothing. */
export const serverObstacle = async ({ folder, start }: ServerConfig): Promise<string | null> => {
  if (start.by === 'holder') {
    const prepared = await prepareCommand(folder, start);
    return 'fault' in prepared ? prepared.fault : null;
  }
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return `The server's folder ${folder} is not there. Is its drive connected?`;
  if (start.by === 'none') return null;
  const way = start.by === 'systemd' ? openSystemdWay(start.unit) : openWindowsServiceWay(start.service);
  const seen = await way.look();
  return seen.is === 'unknown' ? seen.detail : null;
};
