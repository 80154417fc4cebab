import type { StackHealth } from '#contracts/health.ts';
import { type LicenseStatus, licenseStateHttp } from '#contracts/license-state.ts';
import { useRead } from '../wire/queries.ts';

const everyMs = 60_000;

/** While the license was not confirmed and goes on for a time; otherwise undefined. */
export const useGrace = (health: StackHealth | undefined): LicenseStatus | undefined => {
  const isGrace = health?.license === 'grace';
  const license = useRead(licenseStateHttp.status, {}, { enabled: isGrace, everyMs });
  return isGrace && license.data?.state === 'grace' ? license.data : undefined;
};
