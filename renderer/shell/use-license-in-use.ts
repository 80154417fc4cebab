import { useEffect } from 'react';
import type { StackHealth } from '#contracts/health.ts';
import { type LicenseStatus, licenseStateHttp } from '#contracts/license-state.ts';
import { useRead } from '../wire/queries.ts';

/** In the grace period the end may move with each check. */
const everyMs = 60_000;

/** The license under which the API works now, read again whenever the health reports another state; otherwise undefined. */
export const useLicenseInUse = (health: StackHealth | undefined): LicenseStatus | undefined => {
  const state = health?.license;
  const isLicensed = state === 'valid' || state === 'grace';
  const { data, refetch } = useRead(
    licenseStateHttp.status,
    {},
    { enabled: isLicensed, ...(state === 'grace' ? { everyMs } : {}) },
  );
  useEffect(() => {
    if (state === 'valid' || state === 'grace') void refetch({ cancelRefetch: false });
  }, [state, refetch]);
  return isLicensed && data?.state === state ? data : undefined;
};
