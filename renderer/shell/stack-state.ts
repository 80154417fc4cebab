import { healthHttp, type StackHealth } from '#contracts/health.ts';
import { type LicenseStatus, licenseStateHttp } from '#contracts/license-state.ts';
import { useCan } from '../access/access-state.ts';
import { useLive } from '../wire/live.ts';
import { queryClient, readKey, useRead } from '../wire/queries.ts';

/** How the stack is, as it changes; undefined while it is not known, or nothing that one may see. */
export const useStackHealth = (): StackHealth | undefined => {
  const may = useCan()('stack.read');
  const health = useRead(healthHttp.stack, {}, { enabled: may });
  useLive(may ? { topic: 'health' } : null, (message) => {
    if (message.type === 'health') queryClient.setQueryData(readKey(healthHttp.stack, {}), message.health);
  });
  return health.data;
};

const licenseEveryMs = 60_000;

/** While the license was not confirmed and goes on for a time; otherwise undefined. */
export const useGrace = (health: StackHealth | undefined): LicenseStatus | undefined => {
  const isGrace = health?.license === 'grace';
  const license = useRead(licenseStateHttp.status, {}, { enabled: isGrace, everyMs: licenseEveryMs });
  return isGrace && license.data?.state === 'grace' ? license.data : undefined;
};
