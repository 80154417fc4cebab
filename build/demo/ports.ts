import { product } from '#contracts/kernel/product.ts';
import { readEnvFile } from '#runtime/env.ts';
import { findFreePort } from '#runtime/ports.ts';
import { StartupError } from '#runtime/program.ts';

export interface DemoPorts {
  readonly api: number;
  readonly postgres: number;
  readonly portal: number;
  readonly portalPostgres: number;
}

const usual: DemoPorts = {
  api: product.apiPort,
  postgres: product.postgresPort,
  portal: product.portalPort,
  portalPostgres: product.portalPostgresPort,
};

/** The ports that an earlier demo in this data folder chose, else free ones: from `base` upwards, or the usual ones. */
export const choosePorts = async (
  base: number | null,
  stackEnvFile: string,
  portalEnvFile: string,
): Promise<DemoPorts> => {
  const kept = await keptPorts(stackEnvFile, portalEnvFile);
  if (kept) return kept;
  const taken = new Set<number>();
  const choose = async (first: number): Promise<number> => {
    const port = await findFreePort(first);
    if (port === null) throw new StartupError(`No port from ${first} on is free.`);
    if (taken.has(port)) return choose(port + 1);
    taken.add(port);
    return port;
  };
  return {
    api: await choose(base ?? usual.api),
    postgres: await choose(base ?? usual.postgres),
    portal: await choose(base ?? usual.portal),
    portalPostgres: await choose(base ?? usual.portalPostgres),
  };
};

const keptPorts = async (stackEnvFile: string, portalEnvFile: string): Promise<DemoPorts | null> => {
  const stack = await readEnvFile(stackEnvFile);
  const portal = await readEnvFile(portalEnvFile);
  const url = stack.DATABASE_URL;
  if (!url || !portal.PORTAL_PORT || !portal.PORTAL_POSTGRES_PORT) return null;
  return {
    api: Number(stack.API_PORT ?? usual.api),
    postgres: Number(new URL(url).port),
    portal: Number(portal.PORTAL_PORT),
    portalPostgres: Number(portal.PORTAL_POSTGRES_PORT),
  };
};
