import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { liveCloseCodes } from '#contracts/live.ts';
import { releaseShare } from '#runtime/http/connection-limits.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { AccessChanges } from '../access/access-changes.ts';
import { type Actor, actorReference } from '../access/actor.ts';
import { type LiveConnection, openLiveConnection } from './live-connection.ts';
import type { LiveTopics } from './live-topic.ts';

/** Bytes; subscriptions are short. */
const largestMessage = 4096;
const mostConnections = 500;
/** Tabs of one admin, scripts with one key. */
const mostPerActor = 30;

export interface LiveOptions {
  readonly topics: LiveTopics;
  readonly tickets: {
    /** Uses a ticket up; null when it is not good for this request. */
    consume(ticket: string, request: IncomingMessage): Actor | null;
  };
  /** The actor as it is by now; null when its session or key has ended. */
  readonly renewActor: (actor: Actor) => Promise<Actor | null>;
  /** Upon its word permissions are looked at anew, at once. */
  readonly accessChanges: Pick<AccessChanges, 'subscribe'>;
  /** Permissions are looked at this often, too. */
  readonly heartbeatMs?: number;
  readonly log: Log;
}

export interface Live extends AsyncDisposable {
  /** Makes a WebSocket of an HTTP upgrade. @throws {Problem} when it may not be one */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Ends every connection. The reason has at most 123 bytes. */
  closeAll(code: number, reason: string): void;
  readonly connections: number;
}

const defaultHeartbeatMs = 20_000;

/** The panel's WebSocket. */
export const createLive = (options: LiveOptions): Live => {
  const { topics, tickets, renewActor, heartbeatMs = defaultHeartbeatMs, log } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    // Compression costs more memory per connection than all the rest of it.
    perMessageDeflate: false,
  });
  const connections = new Set<LiveConnection>();
  const closed = new EventTarget();
  let stopping = false;

  const demandRoom = (actor: Actor) => {
    if (stopping) throw new Problem('SHUTTING_DOWN');
    const own = [...connections].filter((connection) => isSame(connection.actor, actor)).length;
    if (connections.size >= mostConnections || own >= mostPerActor)
      throw new Problem('RATE_LIMITED', { detail: 'Too many live connections are open.' });
  };

  const open = (socket: WebSocket, actor: Actor) => {
    const connection: LiveConnection = openLiveConnection({
      socket,
      actor,
      topics,
      renewActor,
      heartbeatMs,
      log,
      onClose() {
        connections.delete(connection);
        closed.dispatchEvent(new Event('close'));
      },
    });
    connections.add(connection);
  };

  const closeAll = (code: number, reason: string) => {
    for (const connection of connections) connection.close(code, reason);
  };

  const renewAll = async () => {
    for (const connection of [...connections]) await connection.renew();
  };
  const unsubscribe = options.accessChanges.subscribe(() => void renewAll());

  return {
    async upgrade(request, socket, head) {
      const ticket = new URL(request.url ?? '', 'http://localhost').searchParams.get('ticket');
      const issuedTo = ticket ? tickets.consume(ticket, request) : null;
      // The session or key may have ended since the ticket was issued.
      const actor = issuedTo && (await renewActor(issuedTo));
      if (!actor)
        throw new Problem('UNAUTHENTICATED', { detail: 'A live connection opens with a fresh ticket.' });
      demandRoom(actor);
      releaseShare(socket);
      server.handleUpgrade(request, socket, head, (opened) => open(opened, actor));
    },
    closeAll,
    get connections() {
      return connections.size;
    },
    async [Symbol.asyncDispose]() {
      stopping = true;
      unsubscribe();
      closeAll(liveCloseCodes.goingAway, 'shutting down');
      for (const topic of Object.values(topics)) topic[Symbol.dispose]();
      while (connections.size > 0)
        await new Promise((resolve) => closed.addEventListener('close', resolve, { once: true }));
    },
  };
};

const isSame = (one: Actor, other: Actor): boolean => actorReference(one) === actorReference(other);
