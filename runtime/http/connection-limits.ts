import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '../log.ts';
import { addressGroup } from './address-group.ts';
import { isOwnMachine } from './this-machine.ts';

export interface ConnectionLimits {
  readonly inAll: number;
  /**
   * Per IPv4 address or IPv6 /64, until a connection is authenticated. This machine and trusted proxies stand for many clients
   * and have no such limit.
   */
  readonly perAddress: number;
}

/** Twice the agents that the API is measured with, and more than one address needs for unauthenticated connections. */
export const usualLimits: ConnectionLimits = { inAll: 20_000, perAddress: 512 };

const logEveryMs = 60_000;

/** By the connection that requests are read from. */
const shares = new WeakMap<Duplex, () => void>();

/** Removes an authenticated connection from its address's count: any number of them may come from one router. */
export const releaseShare = (connection: Duplex): void => shares.get(connection)?.();

/** Records that requests are read from another connection on top of the counted one, as with TLS. */
export const passShare = (counted: Duplex, reads: Duplex): void => {
  const release = shares.get(counted);
  if (release) shares.set(reads, release);
};

/** Closes connections beyond the limits without an answer: they have not asked anything yet. */
export const limitConnections = (
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
  log: Log | undefined,
): void => {
  const open = new Map<string, number>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tell = (reason: string) => {
    if (performance.now() - toldAtMs < logEveryMs) return;
    toldAtMs = performance.now();
    log?.warn(limits, `refusing connections: ${reason}; logged at most once a minute`);
  };
  server.maxConnections = limits.inAll;
  server.on('drop', () => tell('too many in total'));
  // Runs before the server itself sees the connection.
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isOwnMachine(socket) || isTrustedProxy(address)) return;
    const group = addressGroup(address) ?? address;
    const count = open.get(group) ?? 0;
    if (count >= limits.perAddress) {
      socket.destroy();
      tell('too many from one address');
      return;
    }
    open.set(group, count + 1);
    let isCounted = true;
    const release = () => {
      if (!isCounted) return;
      isCounted = false;
      socket.off('close', release);
      const left = (open.get(group) ?? 1) - 1;
      if (left > 0) open.set(group, left);
      else open.delete(group);
    };
    shares.set(socket, release);
    socket.once('close', release);
  });
};
