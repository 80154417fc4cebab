import { contractVersion } from '#contracts/kernel/product.ts';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import {
  type ComponentHealth,
  healthHttp,
  healthIn,
  type StackHealth,
} from '#contracts/operations/health.ts';
import { version } from '#runtime/version.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { type followTroubles, overallStatus, queuesHealthOf } from './health.ts';
import { licenseHealthOf } from './license-health.ts';

export const readStackHealth = async (sources: {
  readonly database: () => Promise<ComponentHealth>;
  /** What is wrong with how the API is exposed to the network; null when nothing is. */
  readonly exposure: string | null;
  /** What is wrong with the TLS certificate, in sentences. */
  readonly certificate: () => Promise<readonly string[]>;
  /** What is wrong with the settings that lead to the internet, in sentences. */
  readonly outside: readonly string[];
  readonly workersRun: () => boolean;
  readonly bot: () => ComponentHealth;
  readonly agents: () => ComponentHealth;
  readonly secrets: (database: ComponentHealth) => Promise<ComponentHealth>;
  readonly disk: () => Promise<ComponentHealth>;
  readonly backups: () => Promise<ComponentHealth>;
  readonly integrity: () => Promise<ComponentHealth>;
  readonly entitlements: (database: ComponentHealth) => Promise<ComponentHealth>;
  readonly bans: (database: ComponentHealth) => Promise<ComponentHealth>;
  readonly license: () => LicenseStatus;
  readonly troubleSince: ReturnType<typeof followTroubles>;
}): Promise<StackHealth> => {
  const database = await sources.database();
  const license = sources.license();
  const faults = [...(await sources.certificate()), ...sources.outside];
  const components = {
    api: faults.length > 0 ? healthIn(faults) : { status: 'ok' as const, detail: sources.exposure },
    database,
    queues: queuesHealthOf(database, sources.workersRun()),
    bot: sources.bot(),
    agents: sources.agents(),
    secrets: await sources.secrets(database),
    disk: await sources.disk(),
    backups: await sources.backups(),
    integrity: await sources.integrity(),
    entitlements: await sources.entitlements(database),
    bans: await sources.bans(database),
    license: licenseHealthOf(license, Date.now()),
  };
  return {
    status: overallStatus(components),
    version,
    contractVersion,
    uptimeSeconds: Math.round(process.uptime() * 1000) / 1000,
    license: license.state,
    components,
    troubleSince: sources.troubleSince(components),
  };
};

export const bindHealthRoutes = (routes: ApiRoutes, read: () => Promise<StackHealth>): void => {
  routes.on(healthHttp.stack, async ({ query: { strict = 'false' } }, { request }) => {
    const health = await read();
    if (strict !== 'false' && health.status === 'down') request.res?.status(503);
    return health;
  });
};
