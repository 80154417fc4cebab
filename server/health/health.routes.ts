import { type ComponentHealth, healthHttp } from '#contracts/health.ts';
import type { LicenseState } from '#contracts/license-state.ts';
import { contractVersion } from '#contracts/product.ts';
import { version } from '#runtime/version.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { overallStatus, queuesHealthOf } from './health.ts';

export interface HealthSources {
  readonly database: () => Promise<ComponentHealth>;
  readonly workersRun: () => boolean;
  readonly bot: () => ComponentHealth;
  readonly agents: () => ComponentHealth;
  readonly license: () => LicenseState;
}

export const bindHealthRoutes = (routes: ApiRoutes, sources: HealthSources): void => {
  routes.on(healthHttp.stack, async () => {
    const database = await sources.database();
    const components = {
      api: { status: 'ok' as const, detail: null },
      database,
      queues: queuesHealthOf(database, sources.workersRun()),
      bot: sources.bot(),
      agents: sources.agents(),
    };
    return {
      status: overallStatus(components),
      version,
      contractVersion,
      uptimeSeconds: Math.round(process.uptime() * 1000) / 1000,
      license: sources.license(),
      components,
    };
  });
};
