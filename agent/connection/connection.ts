import type { ConnectionTiming } from './connection-timing.ts';
import type { EndedConnection } from './connection-verdict.ts';
import type { Identity } from './proof.ts';
import type { Subjects } from './session.ts';

/** A way to the API, from the first try to its end. */
export interface Connection {
  /** A heartbeat was acknowledged; never settles when none is. */
  readonly acknowledged: Promise<void>;
  readonly ended: Promise<EndedConnection>;
  close(): void;
}

/** Where the API is, and by which keys it is known. */
export interface ApiAddress {
  readonly url: URL;
  /** Of its certificate, where none of the usual authorities vouches for it. */
  readonly pins: readonly string[];
}

export interface ConnectionOptions {
  readonly apiUrl: URL;
  readonly pins: ApiAddress['pins'];
  readonly identity: Identity;
  readonly subjects: Subjects;
  readonly timing: ConnectionTiming;
  /** The API has proven itself; the connection begins to speak when this returns. */
  readonly onWelcome?: (() => void) | undefined;
}

/** The address below apiUrl, which may itself have a path, as behind a proxy. */
export const addressBelow = (apiUrl: URL, path: string): URL => {
  const url = new URL(apiUrl);
  url.pathname = `${apiUrl.pathname.replace(/\/+$/, '')}${path}`;
  return url;
};
