import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { product } from '#contracts/product.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { findFreePort } from '#runtime/ports.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { type PortalConfig, readPortalConfig } from '../config.ts';

/** What a portal with an embedded Postgres cannot do without. */
export interface Settled {
  readonly masterKey: Secret;
  readonly postgresPort: number;
}

const ownerOnly = 0o600;

/**
 * Makes what the configuration lacks (the master key, a port for Postgres) and keeps it in the home's `.env`, below
 * whatever stands there. To be called by the holder of the home's lock.
 * @throws {StartupError} when there is a database whose master key is lost, or the file cannot be written
 */
export const settle = async (config: PortalConfig): Promise<Settled> => {
  // Read anew where something was missing: another one may have made it while we waited for the lock.
  const kept = await readPortalConfig({ PORTAL_HOME: config.home });
  const masterKey = config.masterKey ?? kept.masterKey;
  const postgresPort = config.postgresPort ?? kept.postgresPort;
  if (masterKey && postgresPort !== null && existsSync(config.envFile)) return { masterKey, postgresPort };
  if (!masterKey && existsSync(join(config.home, 'postgres', 'data')))
    throw new StartupError(
      `There is a database in ${config.home}, but no PORTAL_MASTER_KEY, without which its secrets cannot be read. ` +
        `Put the key back into ${config.envFile}.`,
    );
  const made = {
    masterKey: masterKey ?? new Secret(randomBytes(32).toString('hex')),
    postgresPort: postgresPort ?? (await choosePort()),
  };
  await addToEnvFile(config.envFile, {
    PORTAL_PORT: config.port === 0 ? null : String(config.port),
    PORTAL_POSTGRES_PORT: String(made.postgresPort),
    // One that the environment gave is not ours to write down.
    PORTAL_MASTER_KEY: masterKey ? null : made.masterKey.reveal(),
  });
  return made;
};

const choosePort = async (): Promise<number> => {
  const port = await findFreePort(product.portalPostgresPort);
  if (port === null)
    throw new StartupError(`No port for Postgres is free from ${product.portalPostgresPort} on.`);
  return port;
};

/** Adds the variables that the file does not set yet; what stands there stays, comments included. */
const addToEnvFile = async (path: string, wanted: Readonly<Record<string, string | null>>): Promise<void> => {
  try {
    const text = existsSync(path) ? await readFile(path, 'utf8') : '';
    const missing = Object.entries(wanted).filter(
      ([name, value]) =>
        value !== null && !new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=\\s*\\S`, 'm').test(text),
    );
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    const lines = missing.map(([name, value]) => `${name}=${value}\n`);
    await writeFileAtomically(path, start + lines.join(''), ownerOnly);
  } catch (error) {
    throw new StartupError(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
};
