import { isLoopback } from '../access/this-machine.ts';

export interface Exposure {
  readonly apiHost: string;
  readonly tls: object | undefined;
}

/** What a person should know who has opened the API to the network; null while all is as it should be. */
export const exposureWarning = ({ apiHost, tls }: Exposure): string | null =>
  tls || apiHost === 'localhost' || isLoopback(apiHost)
    ? null
    : `Passwords cross the network unprotected: API_HOST ${apiHost} is open without TLS. Set TLS_CERT_FILE and TLS_KEY_FILE, or put a proxy with TLS on this machine and API_HOST back to 127.0.0.1.`;
