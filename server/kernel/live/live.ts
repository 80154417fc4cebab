import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { liveCloseCodes } from '#contracts/kernel/live.ts';
import { releaseShare } from '#runtime/http/connection-limits.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { AccessChanges } from '../access/access-changes.ts';
import { type Actor, actorReference } from '../access/actor.ts';
import { type LiveConnection, openLiveConnection } from './live-connection.ts';
import type { LiveTopics } from './live-topic.ts';

/** Bytes; subscriptions are short. */
const largestMessage = 4096;
const mostConnections = 1000;
/** From here on only people are admitted; one account may make several keys, which would crowd them out. */
const mostForKeys = 800;
/** The tabs of one admin, or the scripts with one key. */
const mostPerActor = 100;

export interface LiveOptions {
  readonly topics: LiveTopics;
  readonly tickets: {
    /** Redeems a ticket; null when it is not valid for this request. */
    consume(ticket: string, request: IncomingMessage): Actor | null;
  };
  /** The current actor; null when its session or key has ended. */
  readonly renewActor: (actor: Actor) => Promise<Actor | null>;
  /** When it reports a change, permissions are checked again immediately. */
  readonly accessChanges: Pick<AccessChanges, 'subscribe'>;
  /** Permissions are checked at this interval, too. */
  readonly heartbeatMs?: number;
  readonly log: Log;
}

export interface Live extends AsyncDisposable {
  /** Turns an HTTP upgrade into a WebSocket. @throws {Problem} when it is not allowed */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Ends every connection. The reason has at most 123 bytes. */
  closeAll(code: number, reason: string): void;
  readonly connections: number;
}

const defaultHeartbeatMs = 20_000;
/** Time for the client to receive the reason of a refusal. */
const refusalMs = 3000;

export const createLive = (options: LiveOptions): Live => {
  const { topics, tickets, renewActor, heartbeatMs = defaultHeartbeatMs, log } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    // Compression costs more memory per connection than everything else of it.
    perMessageDeflate: false,
  });
  const connections = new Set<LiveConnection>();
  const closed = new EventTarget();
  let stopping = false;

  const hasRoom = (actor: Actor): boolean => {
    const own = [...connections].filter((connection) => isSame(connection.actor, actor)).length;
    return connections.size < mostConnectionsFor(actor) && own < mostPerActor;
  };

  /** A page cannot read why an upgrade was refused, and would say that the API does not respond. */
  const refuse = (socket: WebSocket) => {
    socket.on('error', (error) => log.debug({ err: error }, 'a live connection failed'));
    socket.close(liveCloseCodes.noRoom, 'too many live connections are open');
    setTimeout(() => socket.terminate(), refusalMs).unref();
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
      if (stopping) throw new Problem('SHUTTING_DOWN');
      const isOpened = hasRoom(actor);
      if (isOpened) releaseShare(socket);
      server.handleUpgrade(request, socket, head, (opened) =>
        isOpened ? open(opened, actor) : refuse(opened),
      );
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

/** How many connections may exist in total when this actor opens one more. */
export const mostConnectionsFor = ({ kind }: Pick<Actor, 'kind'>): number =>
  kind === 'api-key' ? mostForKeys : mostConnections;

const isSame = (one: Actor, other: Actor): boolean => actorReference(one) === actorReference(other);
