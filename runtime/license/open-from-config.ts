import type { StackConfig } from '../stack-config.ts';
import { version } from '../version.ts';
import { type LicenseClient, openLicenseClient } from './license-client.ts';

type LicenseOpening = Pick<Parameters<typeof openLicenseClient>[0], 'home' | 'log' | 'scheduled' | 'proxy'>;

/** Opens the license of the installation that `config` was read from. */
export const openLicenseFromConfig = (config: StackConfig, opening: LicenseOpening): Promise<LicenseClient> =>
  openLicenseClient({
    portalUrl: config.licenseServerUrl,
    publicKey: config.licenseServerPublicKey,
    instanceId: config.instanceId,
    version,
    graceDays: config.licenseGracePeriodDays,
    proxy: () => config.licenseProxy,
    ...opening,
  });
