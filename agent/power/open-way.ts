import type { ServerConfig } from '../configuration/server-section.ts';
import { openHolderWay } from './ways/holder-way.ts';
import type { StartWay } from './ways/start-way.ts';
import { openSystemdWay } from './ways/systemd-way.ts';
import { openWindowsServiceWay } from './ways/windows-service-way.ts';

/** Null where the machine's owner chose none. @param holderProgram what starts a holder */
export const openStartWay = async (
  server: ServerConfig,
  powerFolder: string,
  holderProgram: readonly string[],
): Promise<StartWay | null> => {
  const { start } = server;
  switch (start.by) {
    case 'holder':
      return openHolderWay({ powerFolder, server, start, program: holderProgram });
    case 'systemd':
      return openSystemdWay(start.unit);
    case 'windows-service':
      return openWindowsServiceWay(start.service);
    case 'none':
      return null;
  }
};
