import { isLoopback } from '#runtime/http/this-machine.ts';

export interface Exposure {
  readonly apiHosts: readonly string[];
  readonly tls: object | undefined;
}

/** What a person should know who has opened the API to the network; null while all is as it should be. */
export const exposureWarning = ({ apiHosts, tls }: Exposure): string | null => {
  const open = apiHosts.find((host) => !isLoopback(host));
  if (tls || open === undefined) return null;
  return `Passwords cross the network unprotected: API_HOST ${open} is open without TLS. Set TLS_CERT_FILE and TLS_KEY_FILE, or put a proxy with TLS on this machine and API_HOST back to 127.0.0.1.`;
};
