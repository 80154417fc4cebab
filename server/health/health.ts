import {
  type ComponentHealth,
  type HealthStatus,
  healthStatuses,
  type StackHealth,
} from '#contracts/health.ts';

const rank = (status: HealthStatus): number => healthStatuses.indexOf(status);

/**
 * The worst of the components. Without its database the API cannot do its work; any other part that is down leaves
 * the stack degraded.
 */
export const overallStatus = (components: StackHealth['components']): HealthStatus => {
  if (components.database.status === 'down' || components.api.status === 'down') return 'down';
  const worst = Math.max(...Object.values(components).map(({ status }) => rank(status)));
  return healthStatuses[Math.min(worst, rank('degraded'))] ?? 'degraded';
};

/** Queues live in the database and run only once it is prepared. */
export const queuesHealthOf = (database: ComponentHealth, workersRun: boolean): ComponentHealth => {
  if (database.status === 'down') return { status: 'down', detail: 'They need the database.' };
  return workersRun
    ? { status: 'ok', detail: null }
    : { status: 'degraded', detail: 'No worker takes jobs.' };
};
