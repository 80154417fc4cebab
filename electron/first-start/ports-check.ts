import type { PortReport, PortsReport } from '#contracts/desktop/desktop-first-run.ts';
import { findFreePort, obstacleOwner, tryPort } from '#runtime/ports.ts';

const here = '127.0.0.1';
const everywhere = '0.0.0.0';

/** The address that the API listens on. */
export const apiHostOf = (isOpen: boolean): string => (isOpen ? everywhere : here);

/** Which of the wanted ports are free, which programs have the others, and free ones to use instead. */
export const checkPorts = async (
  {
    apiPort,
    postgresPort,
    isOpen,
  }: {
    readonly apiPort: number;
    readonly postgresPort: number;
    /** Whether other machines can reach the API. */
    readonly isOpen: boolean;
  },
  platform: NodeJS.Platform = process.platform,
): Promise<PortsReport> => ({
  api: await check(apiPort, apiHostOf(isOpen), null),
  postgres: await check(postgresPort, here, apiPort),
  asksForFirewall: isOpen && platform === 'win32',
});

const check = async (port: number, host: string, used: number | null): Promise<PortReport> => {
  if (port === used) return { port, state: 'twice', owner: null, free: await freeBeside(port, host, used) };
  const obstacle = await tryPort(port, host);
  if (obstacle === null) return { port, state: 'free', owner: null, free: null };
  const owner = await obstacleOwner(obstacle, port);
  const isTaken = obstacle === 'EADDRINUSE' || owner !== null;
  return {
    port,
    state: isTaken ? 'taken' : 'forbidden',
    owner,
    free: await freeBeside(port, host, used),
  };
};

const freeBeside = async (port: number, host: string, used: number | null): Promise<number | null> => {
  const found = await findFreePort(port + 1, host);
  return found !== null && found === used ? findFreePort(found + 1, host) : found;
};
