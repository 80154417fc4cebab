import { type LicenseStatus, licenseStateHttp } from '#contracts/license-state.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
import type { LicenseCheck } from './license-check.ts';

export const bindLicenseRoutes = (
  routes: ApiRoutes,
  status: () => LicenseStatus,
  check: LicenseCheck,
): void => {
  routes.on(licenseStateHttp.status, status);
  routes.on(licenseStateHttp.check, async (_input, by) => demandGranted(await check(by)));
};
