import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { createApp } from '#runtime/http/routes.ts';
import { isOwnMachine, isProxyHeader } from '#runtime/http/this-machine.ts';

/** Where a request came from. */
export interface RequestOrigin {
  /** As far as TRUST_PROXY allows us to believe it. */
  readonly address: string;
  /** Over TLS up to us, or up to a proxy that we trust. */
  readonly isEncrypted: boolean;
  /** From this machine itself and through no proxy: it crossed no network. */
  readonly isLocal: boolean;
}

export type ReadOrigin = (request: IncomingMessage) => RequestOrigin;

/** The way Express reads `request.ip` and `request.secure`, also for upgrades, which never reach Express. */
export const createReadOrigin = (trustProxy: number | readonly string[] | false): ReadOrigin => {
  const isTrusted = createApp(trustProxy).get('trust proxy fn') as (address: string, hop: number) => boolean;
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    const hops = [peer, ...listOf(headers['x-forwarded-for']).reverse()];
    const untrusted = hops.findIndex((address, hop) => hop === hops.length - 1 || !isTrusted(address, hop));
    const scheme = isTrusted(peer, 0) ? listOf(headers['x-forwarded-proto'])[0] : undefined;
    return {
      address: hops[untrusted] ?? peer,
      isEncrypted: scheme === undefined ? (socket as TLSSocket).encrypted === true : scheme === 'https',
      isLocal: isOwnMachine(socket) && !Object.keys(headers).some(isProxyHeader),
    };
  };
};

const listOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
