import { type LicenseStatus, licenseStateHttp } from '#contracts/license-state.ts';
import type { Routes } from '#runtime/http/routes.ts';

export const bindLicenseRoutes = (routes: Routes, status: () => LicenseStatus): void => {
  routes.on(licenseStateHttp.status, status);
};
