import type { ConnectionTiming } from './connection-timing.ts';
import type { EndedConnection } from './connection-verdict.ts';
import type { Identity } from './proof.ts';
import type { Subjects } from './session.ts';

/** A connection to the API, from the first try to its end. */
export interface Connection {
  /** Resolves when a heartbeat was acknowledged; never settles otherwise. */
  readonly acknowledged: Promise<void>;
  readonly ended: Promise<EndedConnection>;
  close(): void;
}

/** The API's address, and the keys that identify it. */
export interface ApiAddress {
  readonly url: URL;
  /** Pins of its certificate, when no usual authority vouches for it. */
  readonly pins: readonly string[];
}

export interface ConnectionOptions {
  readonly apiUrl: URL;
  readonly pins: ApiAddress['pins'];
  readonly identity: Identity;
  readonly subjects: Subjects;
  readonly timing: ConnectionTiming;
  /** Called when the API has proven itself; the connection starts to send when this returns. */
  readonly onWelcome?: (() => void) | undefined;
}

/** The address below apiUrl, which may have a path of its own, as behind a proxy. */
export const addressBelow = (apiUrl: URL, path: string): URL => {
  const url = new URL(apiUrl);
  url.pathname = `${apiUrl.pathname.replace(/\/+$/, '')}${path}`;
  return url;
};
