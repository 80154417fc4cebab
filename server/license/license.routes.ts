import { type LicenseStatus, licenseStateHttp } from '#contracts/license/license-state.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { LicenseCheck } from './license-check.ts';

export const bindLicenseRoutes = (
  routes: ApiRoutes,
  status: () => LicenseStatus,
  check: LicenseCheck,
): void => {
  routes.on(licenseStateHttp.status, status);
  routes.on(licenseStateHttp.check, (_input, by) => check(by));
};
