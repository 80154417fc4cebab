import { type LicenseStatus, licenseStateHttp } from '#contracts/license-state.ts';
import type { ApiRoutes } from '../access/authorize.ts';

export const bindLicenseRoutes = (routes: ApiRoutes, status: () => LicenseStatus): void => {
  routes.on(licenseStateHttp.status, status);
};
