import type { LicenseStatus } from '#contracts/license/license-state.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import { createLog } from '#runtime/log.ts';
import type { StackConfig } from '#runtime/stack-config.ts';

/** What license.json says on this machine, without asking the portal. It holds neither the key nor the token. */
export const readLicenseStatus = async (home: string, config: StackConfig): Promise<LicenseStatus> => {
  const log = createLog({ component: 'diagnostics', level: 'silent' });
  await using client = await openLicenseFromConfig(config, { home, log, scheduled: false });
  return client.status();
};
