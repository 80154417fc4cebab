import type { HealthStatus, StackHealth } from '#contracts/operations/health.ts';
import type { PageName } from './navigation.ts';

export type Warning = Exclude<HealthStatus, 'ok' | 'unknown'> | 'grace';

/** Which pages have details about a problem. */
export const warningsOf = (health: StackHealth | undefined): Readonly<Partial<Record<PageName, Warning>>> => {
  if (!health) return {};
  const of = (status: HealthStatus) => (status === 'ok' || status === 'unknown' ? undefined : status);
  const { agents, secrets, backups, entitlements } = health.components;
  const warnings = {
    health: of(health.status),
    agents: of(agents.status),
    secrets: of(secrets.status),
    backups: of(backups.status),
    desk: of(entitlements.status),
    license: health.license === 'grace' ? ('grace' as const) : of(health.components.license.status),
  };
  return Object.fromEntries(Object.entries(warnings).filter(([, warning]) => warning !== undefined));
};
