import type { LicenseStatus } from '#contracts/license-state.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import { createLog } from '#runtime/log.ts';
import type { StackConfig } from '#runtime/stack-config.ts';

/** What license.json says on this machine, without asking the portal. It holds neither the key nor the token. */
export const readLicenseStatus = async (home: string, config: StackConfig): Promise<LicenseStatus> => {
  const log = createLog({ component: 'diagnostics', level: 'silent' });
  await using client = await openLicenseFromConfig(config, { home, log, scheduled: false });
  return client.status();
};

/** So much of a machine's id tells two machines apart, and is nobody's id any more. */
const shownDigits = 16;

/** The part of the machine's id that does not go out. */
export const hiddenPart = (hwid: string | null): string =>
  hwid?.replace(/^sha256:/, '').slice(shownDigits) ?? '';
