import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.ts';
import { isOwnMachine } from './this-machine.ts';

export interface IdleTiming {
  readonly directMs: number;
  /** For proxies, and programs of this machine. */
  readonly proxyMs: number;
}

/**
 * How long an answered connection waits for its next request. A client that waits longer than we do sends a request into a connection
 * that we are closing, and a POST is then lost (nodejs/node#13391). nginx and AWS's balancer keep one for 60 s, Traefik and
 * cloudflared for 90 s, Caddy and IIS for 120 s, Google's balancer for 600 s, Cloudflare for 900 s: only who is trusted holds
 * one for so long.
 */
export const usualIdle: IdleTiming = { directMs: 130_000, proxyMs: 920_000 };

interface IdleConnections {
  /** One that becomes a WebSocket waits for no request any more. */
  leave(socket: Socket): void;
}

/** Keeps answered connections open for longer than others do, and closes the oldest ones when there are too many. */
export const keepIdleConnections = (
  server: Server,
  { inAll }: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
  idleFor: IdleTiming,
): IdleConnections => {
  server.keepAliveTimeout = idleFor.directMs;
  /** The longest idle first. Trusted ones are counted by the total alone. */
  const idle = new Set<Socket>();
  const mostIdle = Math.ceil(inAll / 2);
  /** Requests of a connection that wait for their answers. */
  const unanswered = new WeakMap<Socket, number>();
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket);
    // With TLS, this is another socket than the one that connected.
    if (!unanswered.has(socket)) socket.once('close', () => idle.delete(socket));
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
    // Node has set its own time-out by then.
    response.once('close', () => {
      const left = (unanswered.get(socket) ?? 1) - 1;
      unanswered.set(socket, left);
      if (left > 0 || socket.destroyed || !response.shouldKeepAlive) return;
      if (isOwnMachine(socket) || isTrustedProxy(socket.remoteAddress ?? '')) {
        socket.setTimeout(idleFor.proxyMs);
        return;
      }
      idle.add(socket);
      const [oldest] = idle;
      if (idle.size > mostIdle) oldest?.destroy();
    });
  });
  return { leave: (socket) => void idle.delete(socket) };
};
