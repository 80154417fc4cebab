import { setTimeout as delay } from 'node:timers/promises';
import { demandDataFolder } from '#runtime/folder-check/demand-folder.ts';
import { makeHome } from '#runtime/home.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';
import { type PortalConfig, readPortalConfig } from '../config.ts';
import { settle } from '../home/first-start.ts';
import {
  describeHolder,
  type HomeLock,
  type LockHolder,
  type LockPurpose,
  tryToLockHome,
} from '../home/home-lock.ts';
import { readAnnouncement } from '../home/running-portal.ts';
import { embeddedDatabaseUrl, startEmbeddedPostgres } from './embedded-postgres.ts';

interface ReachedDatabase {
  readonly databaseUrl: Secret;
  readonly masterKey: Secret;
  /** Null if the database is not the portal's own. */
  readonly postgresPort: number | null;
}

/**
 * The database that the configuration names, otherwise the embedded one, which is started here; a command uses the one
 * that a portal with the same data folder has already started.
 */
export const reachDatabase = async (options: {
  readonly config: PortalConfig;
  readonly purpose: LockPurpose;
  readonly guardianEntry: string;
  readonly log: Log;
  readonly resources: AsyncDisposableStack;
  readonly onLost: (error: unknown) => void;
}): Promise<ReachedDatabase> => {
  const { config, purpose, resources } = options;
  if (!config.databaseUrl)
    for (const words of await demandDataFolder(config.home, { variables: {} })) options.log.warn(words);
  await makeHome(config.home);
  if (config.databaseUrl && config.masterKey)
    return { databaseUrl: config.databaseUrl, masterKey: config.masterKey, postgresPort: null };
  const found = await lockOrFind(config, purpose);
  if ('databaseUrl' in found) return found;
  resources.use(found);
  const { masterKey, postgresPort } = await settle(config);
  resources.use(
    await startEmbeddedPostgres({ ...options, home: config.home, port: postgresPort, masterKey }),
  );
  return { databaseUrl: embeddedDatabaseUrl(postgresPort, masterKey), masterKey, postgresPort };
};

const patienceMs = 20_000;
const pollMs = 50;

type Held = Extract<HomeLock, { held: true }>;

/** The lock of the data folder, or for a command the database of the portal that holds it. Waits until one of them is available. */
const lockOrFind = async (config: PortalConfig, purpose: LockPurpose): Promise<Held | ReachedDatabase> => {
  const until = performance.now() + patienceMs;
  for (;;) {
    const lock = await tryToLockHome(config.home, purpose);
    if (lock.held) return lock;
    const { holder, isElsewhere } = lock;
    const isServed = holder?.purpose === 'serve';
    const running =
      purpose === 'command' && isServed && !isElsewhere ? await databaseOf(holder, config) : null;
    if (running) return running;
    if (performance.now() > until || (isServed && (purpose === 'serve' || isElsewhere)))
      throw new StartupError(describeHolder(config.home, lock));
    await delay(pollMs);
  }
};

/** Null until the holder has announced itself; there may be an old announcement from a killed portal. */
const databaseOf = async (holder: LockHolder, config: PortalConfig): Promise<ReachedDatabase | null> => {
  const running = await readAnnouncement(config.home);
  if (running?.pid !== holder.pid || running.postgresPort === null) return null;
  // If it was missing, it is read again: the running portal may just have created it.
  const masterKey = config.masterKey ?? (await readPortalConfig({ PORTAL_HOME: config.home })).masterKey;
  if (!masterKey) return null;
  const { postgresPort } = running;
  return { databaseUrl: embeddedDatabaseUrl(postgresPort, masterKey), masterKey, postgresPort };
};
