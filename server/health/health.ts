import {
  type ComponentHealth,
  type HealthStatus,
  healthStatuses,
  type StackHealth,
} from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';
import type { LicenseState } from '#contracts/license-state.ts';

const rank = (status: HealthStatus): number => healthStatuses.indexOf(status);

/**
 * The worst status of all components. Without its database the API cannot work; any other component that is down only
 * degrades the stack.
 */
export const overallStatus = (components: StackHealth['components']): HealthStatus => {
  if (components.database.status === 'down' || components.api.status === 'down') return 'down';
  const worst = Math.max(...Object.values(components).map(({ status }) => rank(status)));
  return healthStatuses[Math.min(worst, rank('degraded'))] ?? 'degraded';
};

/** Queues live in the database and run only once it is prepared. */
export const queuesHealthOf = (database: ComponentHealth, workersRun: boolean): ComponentHealth => {
  if (database.status === 'down') return { status: 'down', detail: healthReasons['needs-database'] };
  return workersRun
    ? { status: 'ok', detail: null }
    : { status: 'degraded', detail: healthReasons['no-worker'] };
};

/**
 * Remembers since when each component has been unwell, until it recovers.
 * @returns what is unwell now and since when; ISO 8601
 */
export const followTroubles = (now: () => Date) => {
  const since = new Map<string, string>();
  return (components: StackHealth['components'], license: LicenseState): StackHealth['troubleSince'] => {
    const isWell = new Map<string, boolean>(
      Object.entries(components).map(([name, { status }]) => [name, status === 'ok']),
    ).set('license', license === 'valid');
    for (const [name, well] of isWell) {
      if (well) since.delete(name);
      else if (!since.has(name)) since.set(name, now().toISOString());
    }
    return Object.fromEntries(since);
  };
};
