import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { isLoopback } from '#runtime/http/this-machine.ts';

/** A warning for those who exposed the API to the network; null while all is well. */
export const exposureWarning = ({
  apiHosts,
  tls,
}: {
  readonly apiHosts: readonly string[];
  readonly tls: object | undefined;
}): string | null => {
  const open = apiHosts.find((host) => !isLoopback(host));
  if (tls || open === undefined) return null;
  return healthReasons.exposed(open);
};
