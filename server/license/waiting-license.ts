import type { LicenseStatus } from '#contracts/license/license-state.ts';

const soonMs = 14 * 86_400_000;

/** The license ends soon, or could not be confirmed. A rejected one closes the API. */
export const waitingLicense = ({ state, endsAt }: Pick<LicenseStatus, 'state' | 'endsAt'>, nowMs: number) => {
  const isOverSoon = typeof endsAt === 'string' && Date.parse(endsAt) - nowMs < soonMs;
  return state === 'grace' || isOverSoon
    ? [{ kind: 'license' as const, serverId: null, count: 1, since: null }]
    : [];
};
