import { contractVersion } from '#contracts/kernel/product.ts';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import {
  type ComponentHealth,
  healthHttp,
  healthIn,
  type StackHealth,
} from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { outsideFaults } from '#runtime/outside/outside.ts';
import { Problem } from '#runtime/problem.ts';
import { version } from '#runtime/version.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { coalesceReads } from '../../kernel/database/coalesce-reads.ts';
import type { EncryptionKeys } from '../../kernel/encryption-keys/encryption-keys.ts';
import { exposureWarning } from '../../kernel/http/exposure.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { inspectSecrets } from '../../kernel/secrets/inspect-secrets.ts';
import type { DescribedColumn } from '../../kernel/secrets/sealed-column.ts';
import type { Backups } from '../backups/backups.ts';
import type { Settings } from '../settings.ts';
import { followCertificate } from './certificate-health.ts';
import type { DiskWatch } from './disk-watch.ts';
import { followTroubles, overallStatus, queuesHealthOf } from './health.ts';
import { licenseHealthOf } from './license-health.ts';
import { secretsHealthOf } from './secrets-health.ts';

/** @param faults what is wrong with the certificate and with the settings that lead to the internet, in sentences */
export const apiHealthOf = (faults: readonly string[], exposure: string | null): ComponentHealth =>
  faults.length > 0 ? healthIn(faults) : { status: 'ok', detail: exposure };

/** @returns reads the health of every component, and since when each is unwell */
export const createStackHealth = (
  options: Pick<Kernel, 'config' | 'db' | 'secrets' | 'beginnings' | 'obstacle'> & {
    readonly settings: Pick<Settings, 'values'>;
    readonly sealedColumns: readonly DescribedColumn[];
    readonly encryptionKeys: Pick<EncryptionKeys, 'faults'>;
    readonly database: () => Promise<ComponentHealth>;
    readonly disk: Pick<DiskWatch, 'health'>;
    readonly backups: Pick<Backups, 'health' | 'integrity'>;
    readonly workersRun: () => boolean;
    readonly license: () => LicenseStatus;
    readonly bot: () => ComponentHealth;
    readonly agents: () => ComponentHealth;
    readonly entitlements: () => Promise<ComponentHealth>;
    readonly bans: () => Promise<ComponentHealth>;
  },
): (() => Promise<StackHealth>) => {
  const { config, db, secrets, beginnings, obstacle } = options;

  /** The host of the public address, where no proxy answers there with a certificate of its own; null: none is known. */
  const ownPublicHost = async () => {
    // Without the database, the address is not known.
    if (config.trustProxy !== false || obstacle() !== null) return null;
    const { publicAddress } = await options.settings.values('general');
    const url = URL.parse(publicAddress);
    return url?.protocol === 'https:' ? url.hostname : null;
  };
  const certificate = config.tls ? followCertificate(config.tls, ownPublicHost) : async () => [];
  // As they were read at the start, which is when they count.
  const outside = outsideFaults(config.outside);
  const inspection = coalesceReads(() => inspectSecrets(db, options.sealedColumns, secrets), obstacle);
  const secretsHealth = createReadingHealth(async () =>
    secretsHealthOf(await inspection(), options.encryptionKeys.faults()),
  );
  const entitlements = createReadingHealth(options.entitlements);
  const bans = createReadingHealth(options.bans);
  const troubleSince = followTroubles(() => new Date(), beginnings);

  return async () => {
    const database = await options.database();
    const license = options.license();
    const components = {
      api: apiHealthOf([...(await certificate()), ...outside], exposureWarning(config)),
      database,
      queues: queuesHealthOf(database, options.workersRun()),
      bot: options.bot(),
      agents: options.agents(),
      secrets: await secretsHealth(database),
      disk: await options.disk.health(),
      backups: await options.backups.health(),
      integrity: await options.backups.integrity(),
      entitlements: await entitlements(database),
      bans: await bans(database),
      license: licenseHealthOf(license, Date.now()),
    };
    return {
      status: overallStatus(components),
      version,
      contractVersion,
      uptimeSeconds: Math.round(process.uptime() * 1000) / 1000,
      license: license.state,
      components,
      troubleSince: troubleSince(components),
    };
  };
};

/** The health of a component that is read from the database; unknown without the database. */
export const createReadingHealth =
  (read: () => Promise<ComponentHealth>) =>
  async (database: ComponentHealth): Promise<ComponentHealth> => {
    if (database.status === 'down') return { status: 'down', detail: healthReasons['needs-database'] };
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { status: 'degraded', detail: error.message };
    }
  };

export const bindHealthRoutes = (routes: ApiRoutes, read: () => Promise<StackHealth>): void => {
  routes.on(healthHttp.stack, async ({ query: { strict = 'false' } }, { request }) => {
    const health = await read();
    if (strict !== 'false' && health.status === 'down') request.res?.status(503);
    return health;
  });
};
