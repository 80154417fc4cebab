import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { product } from '#contracts/kernel/product.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { openEnvFile } from '#runtime/env.ts';
import { findFreePort } from '#runtime/ports.ts';
import { databaseIn } from '#runtime/postgres/database-state.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { type PortalConfig, readPortalConfig } from '../config.ts';

/** What a portal with an embedded Postgres needs. */
interface Settled {
  readonly masterKey: Secret;
  readonly postgresPort: number;
}

const ownerOnly = 0o600;

/**
 * Creates what the configuration lacks (the master key, a port for Postgres) and appends it to the data folder's
 * `.env`. The caller must hold the data folder's lock.
 * @throws {StartupError} if there is a database whose master key is lost, or the file cannot be written
 */
export const settle = async (config: PortalConfig): Promise<Settled> => {
  // Read again if something was missing: another process may have created it while this one waited for the lock.
  const kept = await readPortalConfig({ PORTAL_HOME: config.home });
  const masterKey = config.masterKey ?? kept.masterKey;
  const postgresPort = config.postgresPort ?? kept.postgresPort;
  if (masterKey && postgresPort !== null && existsSync(config.envFile)) return { masterKey, postgresPort };
  if (!masterKey && databaseIn(join(config.home, 'postgres', 'data')) !== 'none')
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
    // A key from the environment is not ours to write down.
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

/** Adds the variables that the file does not set yet; existing content stays, comments included. */
const addToEnvFile = async (path: string, wanted: Readonly<Record<string, string | null>>): Promise<void> => {
  try {
    const { text, encoding, values } = await openEnvFile(path);
    const missing = Object.entries(wanted).filter(([name, value]) => value !== null && !values[name]);
    const start = text === null || /(?:^|[\r\n])$/.test(text) ? (text ?? '') : `${text}\n`;
    const lines = missing.map(([name, value]) => `${name}=${value}\n`);
    await writeFileAtomically(path, Buffer.from(start + lines.join(''), encoding), ownerOnly);
  } catch (error) {
    throw new StartupError(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
};
