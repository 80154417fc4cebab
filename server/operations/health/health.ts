import {
  type ComponentHealth,
  type HealthStatus,
  healthStatuses,
  type StackHealth,
} from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { StateBeginnings } from '../../kernel/database/state-beginnings.ts';

const unwell = 'unwell';

const rank = (status: HealthStatus): number => healthStatuses.indexOf(status);

/** The worst status of all components. */
export const overallStatus = (components: StackHealth['components']): HealthStatus => {
  const worst = Math.max(...Object.values(components).map(({ status }) => rank(status)));
  return healthStatuses[worst] ?? 'down';
};

/** Queues live in the database and run only once it is prepared. */
export const queuesHealthOf = (database: ComponentHealth, workersRun: boolean): ComponentHealth => {
  if (database.status === 'down') return { status: 'down', detail: healthReasons['needs-database'] };
  return workersRun
    ? { status: 'ok', detail: null }
    : { status: 'degraded', detail: healthReasons['no-worker'] };
};

/**
 * Remembers since when each component has been unwell, until it recovers; also beyond a restart of the API.
 * @returns what is unwell now and since when; ISO 8601
 */
export const followTroubles = (now: () => Date, beginnings: Pick<StateBeginnings, 'earlier' | 'note'>) => {
  const since = new Map<string, string>();
  return (components: StackHealth['components']): StackHealth['troubleSince'] => {
    for (const [name, { status }] of Object.entries(components)) {
      const subject = `component:${name}`;
      if (status === 'ok') {
        since.delete(name);
        beginnings.note(subject, null, '');
      } else if (status !== 'unknown') {
        const begun = beginnings.earlier(subject, unwell) ?? since.get(name) ?? now().toISOString();
        since.set(name, begun);
        beginnings.note(subject, unwell, begun);
      }
    }
    return Object.fromEntries(since);
  };
};
