import type { StackHealth } from '#contracts/health.ts';
import { demoLicenseTier, licenseStateHttp } from '#contracts/license-state.ts';
import { useRead } from '../wire/queries.ts';

/** A license does not change its tier while it holds; another one comes with another state. */
const everyMs = 3_600_000;

/** Whether the license is one of a demo portal. */
export const useIsDemo = (health: StackHealth | undefined): boolean => {
  const isLicensed = health?.license === 'valid' || health?.license === 'grace';
  const license = useRead(licenseStateHttp.status, {}, { enabled: isLicensed, everyMs });
  return isLicensed && license.data?.tier === demoLicenseTier;
};
