import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { largestAgentFrame } from '#contracts/agent-protocol.ts';
import { createPendingHandshakes, type HandshakeLimits } from './pending-handshakes.ts';
import type { RequestOrigin } from './request-origin.ts';
import { SocketConversation, type SocketHost } from './socket-conversation.ts';
import { closeSocket } from './socket-link.ts';

export interface SocketTransportOptions extends Omit<SocketHost, 'greeted'> {
  /** How long a connection may take to say who it is. */
  readonly helloMs: number;
  readonly handshakeLimits: HandshakeLimits;
}

export interface SocketTransport {
  open(request: IncomingMessage, socket: Duplex, head: Buffer, origin: RequestOrigin): void;
  sweep(): void;
  /** Closes all present connections, some at a time. The reason has at most 123 bytes. */
  closeAll(code: number, reason: string): void;
  /** Number of connections, including those that have not said who they are. */
  readonly size: number;
  readonly emptied: Promise<void>;
}

/** Connections that are closed in one turn of the event loop: a few milliseconds. */
const closedAtOnce = 100;

/** Where agents connect by WebSocket. It keeps no timer per connection. */
export const createSocketTransport = ({
  helloMs,
  handshakeLimits,
  ...options
}: SocketTransportOptions): SocketTransport => {
  const { now, log } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestAgentFrame,
    // Compression costs more memory per connection than everything else together.
    perMessageDeflate: false,
  });
  const conversations = new Map<WebSocket, SocketConversation>();
  const room = createPendingHandshakes(helloMs, handshakeLimits, now);
  const host: SocketHost = { ...options, greeted: room.leave };
  let whenEmpty: (() => void) | null = null;

  const logFault = (error: Error) => log.debug({ err: error }, 'a Game Agent connection failed');
  // They get their WebSocket as `this`: closures would be created for each, and there are thousands.
  function hear(this: WebSocket, data: RawData, isBinary: boolean): void {
    conversations.get(this)?.hear(data, isBinary);
  }
  function end(this: WebSocket): void {
    room.leave(this);
    conversations.get(this)?.end();
    conversations.delete(this);
    if (conversations.size === 0) whenEmpty?.();
  }
  const begin = (socket: WebSocket, raw: Duplex, origin: RequestOrigin) => {
    room.enter(socket, raw, origin.address);
    conversations.set(socket, new SocketConversation(socket, raw, origin, host));
    socket.on('message', hear).on('error', logFault).on('close', end);
  };

  const closeSome = (rest: readonly WebSocket[], code: number, reason: string) => {
    for (const socket of rest.slice(0, closedAtOnce)) {
      room.leave(socket);
      closeSocket(socket, code, reason);
    }
    if (rest.length > closedAtOnce) setImmediate(closeSome, rest.slice(closedAtOnce), code, reason);
  };

  return {
    open(request, socket, head, origin) {
      server.handleUpgrade(request, socket, head, (opened) => begin(opened, socket, origin));
    },
    sweep: room.sweep,
    closeAll: (code, reason) => closeSome([...conversations.keys()], code, reason),
    get size() {
      return conversations.size;
    },
    get emptied() {
      return new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (conversations.size === 0) resolve();
      });
    },
  };
};
