import { useEffect, useState } from 'react';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import { callDesktop, onDesktop } from '../../kit/api/desktop-bridge.ts';

/** The license as the desktop itself knows it, also while the API does not answer; null until it has answered. */
export const useLicenseStatus = (): LicenseStatus | null => {
  const [status, setStatus] = useState<LicenseStatus | null>(null);
  useEffect(() => {
    let isHere = true;
    const stop = onDesktop('license.changed', setStatus);
    callDesktop('license.status', undefined).then(
      (known) => isHere && setStatus((newer) => newer ?? known),
      () => undefined,
    );
    return () => {
      isHere = false;
      stop();
    };
  }, []);
  return status;
};
