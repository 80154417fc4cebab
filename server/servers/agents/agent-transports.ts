import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import {
  type ApiFrame,
  agentCapabilities,
  agentCloseCodes,
  agentProtocolVersion,
  agentTiming,
  type HelloFrame,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import type { Log } from '#runtime/log.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import type { Admit, Admitted, RequestOrigin } from './admission.ts';
import type { AgentCommands } from './agent-commands.ts';
import type { ReleaseOffer } from './agent-files.ts';
import type { Nonces } from './agent-proof.ts';
import type { AgentLink, AgentMode, AgentSession } from './agent-session.ts';
import type { AgentSessions } from './agent-sessions.ts';
import { createPersistQueue, type TakeFrame } from './frame-intake.ts';
import { createPolls, type TakePoll } from './polls.ts';
import { closeSocket, SocketConversation, type SocketHost } from './socket-conversation.ts';

const v = agentProtocolVersion;

/** In milliseconds; a test may shorten them. */
export interface AgentTiming {
  readonly heartbeat: Readonly<Record<AgentMode, number>>;
  /** An agent without a message for this long is stale. */
  readonly stale: Readonly<Record<AgentMode, number>>;
  readonly hello: number;
  readonly hold: number;
  readonly nonceLife: number;
  /** How long to wait for a result, beyond what the command itself may take. */
  readonly grace: number;
  /** How long a replaced agent is kept out, so that the new one comes first. */
  readonly replacedRest: number;
  readonly sweep: number;
  /** How often the last-seen values are written. */
  readonly flush: number;
  /** Between two tries at what the database did not take. */
  readonly retry: number;
  /** At most one log line, and one event, about refusals of the same kind. */
  readonly refusalNews: number;
}

const heartbeat = {
  websocket: agentTiming.websocketHeartbeatSeconds * 1000,
  polling: agentTiming.pollingHeartbeatSeconds * 1000,
};

export const usualTiming: AgentTiming = {
  heartbeat,
  stale: {
    websocket: heartbeat.websocket * agentTiming.staleAfterHeartbeats,
    polling: heartbeat.polling * agentTiming.staleAfterHeartbeats,
  },
  hello: agentTiming.helloSeconds * 1000,
  hold: agentTiming.holdSeconds * 1000,
  nonceLife: agentTiming.nonceSeconds * 1000,
  grace: 5000,
  replacedRest: 120_000,
  sweep: 250,
  flush: 60_000,
  retry: 1000,
  refusalNews: 60_000,
};

export interface HandshakeLimits {
  readonly all: number;
  /** Per address block: as many agents as may share one router or proxy and all connect at the same time. */
  readonly perBlock: number;
}

/** Each may cost some 20 KB. */
export const defaultHandshakeLimits: HandshakeLimits = { all: 5000, perBlock: 2000 };

/** A hello has about 700 bytes. */
const mostHelloBytes = 8 * 1024;

interface PendingHandshake {
  readonly raw: Duplex;
  readonly block: string;
  readonly enteredMs: number;
  readonly countBytes: (chunk: Buffer) => void;
}

/** Connections that have not said who they are. When there are too many, the oldest are ended: real agents are quick. */
const createPendingHandshakes = (patienceMs: number, limits: HandshakeLimits, now: () => number) => {
  /** The oldest comes first. */
  const pending = new Map<WebSocket, PendingHandshake>();
  const perBlock = new Map<string, number>();

  const leave = (socket: WebSocket) => {
    const handshake = pending.get(socket);
    if (!handshake) return;
    pending.delete(socket);
    handshake.raw.off('data', handshake.countBytes);
    const left = (perBlock.get(handshake.block) ?? 1) - 1;
    if (left === 0) perBlock.delete(handshake.block);
    else perBlock.set(handshake.block, left);
  };
  const drop = (handshake: WebSocket | undefined) => {
    if (!handshake) return;
    leave(handshake);
    handshake.terminate();
  };
  const oldestOf = (block: string) => {
    for (const [socket, handshake] of pending) if (handshake.block === block) return socket;
    return undefined;
  };

  return {
    /** @param raw what the WebSocket reads from: only this shows how much of a frame has arrived */
    enter(socket: WebSocket, raw: Duplex, address: string): void {
      const block = countedAddress(address);
      if ((perBlock.get(block) ?? 0) >= limits.perBlock) drop(oldestOf(block));
      if (pending.size >= limits.all) drop(pending.keys().next().value);
      let bytes = 0;
      const countBytes = (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostHelloBytes && pending.has(socket)) drop(socket);
      };
      raw.on('data', countBytes);
      pending.set(socket, { raw, block, enteredMs: now(), countBytes });
      perBlock.set(block, (perBlock.get(block) ?? 0) + 1);
    },
    /** It has said who it is, or is gone. */
    leave,
    /** Ends those that have waited too long. */
    sweep(): void {
      for (const [socket, { enteredMs }] of pending) {
        if (now() - enteredMs < patienceMs) return;
        leave(socket);
        closeSocket(socket, agentCloseCodes.timedOut, 'no hello in time');
      }
    },
    get size(): number {
      return pending.size;
    },
  };
};

type SocketTransport = ReturnType<typeof createSocketTransport>;

/** Connections that are closed in one turn of the event loop: a few milliseconds. */
const closedAtOnce = 100;

/**
 * Where agents connect by WebSocket. It keeps no timer per connection.
 * @param helloMs how long a connection may take to say who it is
 */
const createSocketTransport = (
  helloMs: number,
  handshakeLimits: HandshakeLimits,
  options: Omit<SocketHost, 'greeted'>,
) => {
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
    open(request: IncomingMessage, socket: Duplex, head: Buffer, origin: RequestOrigin): void {
      server.handleUpgrade(request, socket, head, (opened) => begin(opened, socket, origin));
    },
    sweep: room.sweep,
    /** Closes all present connections, some at a time. The reason has at most 123 bytes. */
    closeAll: (code: number, reason: string): void => closeSome([...conversations.keys()], code, reason),
    /** Number of connections, including those that have not said who they are. */
    get size(): number {
      return conversations.size;
    },
    get emptied(): Promise<void> {
      return new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (conversations.size === 0) resolve();
      });
    },
  };
};

/** The two ways to connect: a WebSocket that stays open, and polls. */
export const createAgentTransports = (options: {
  readonly admit: Admit;
  readonly nonces: Nonces;
  readonly sessions: Pick<AgentSessions, 'attach' | 'heard' | 'detach'>;
  readonly commands: AgentCommands;
  readonly tasks: Pick<TaskLane, 'polled'>;
  readonly take: TakeFrame;
  readonly offerRelease: ReleaseOffer;
  /** The forms of chat that an agent is told with each welcome; null: none were ever chosen. */
  readonly chatFormsOf: (serverId: string) => readonly string[] | null;
  /** @throws {Problem} when no agent may connect any more */
  readonly demandReady: () => void;
  readonly timing: AgentTiming;
  readonly handshakeLimits: HandshakeLimits;
  readonly now: () => number;
  readonly log: Log;
}): { readonly sockets: SocketTransport; readonly takePoll: TakePoll } => {
  const {
    admit,
    nonces,
    sessions,
    commands,
    tasks,
    take,
    offerRelease,
    chatFormsOf,
    demandReady,
    timing,
    handshakeLimits,
    now,
    log,
  } = options;
  const { attach, heard, detach } = sessions;

  const welcome = ({ facts, serverName, proof }: Admitted, hello: HelloFrame): ApiFrame => ({
    v,
    type: 'welcome',
    proof: proof.ofApi(hello),
    serverName,
    heartbeatSeconds: timing.heartbeat[facts.mode] / 1000,
    staleSeconds: timing.stale[facts.mode] / 1000,
    capabilities: [...agentCapabilities],
  });
  /** What an agent is told with each welcome. */
  const standing = ({ watchUntilMs }: AgentSession, hello: HelloFrame): ApiFrame[] => {
    const seconds = Math.ceil((watchUntilMs - now()) / 1000);
    const watching: ApiFrame[] = seconds > 0 ? [{ v, type: 'watch', seconds }] : [];
    const offered = offerRelease(hello.agentVersion);
    const chosen = chatFormsOf(hello.serverId);
    const forms: ApiFrame[] = chosen === null ? [] : [{ v, type: 'chat-forms', forms: [...chosen] }];
    return [...watching, ...forms, ...(offered ? [offered.frame] : [])];
  };

  const persistQueues = new WeakMap<AgentLink, ReturnType<typeof createPersistQueue>>();
  const writerOf = (link: AgentLink) => {
    const writer = persistQueues.get(link) ?? createPersistQueue(timing.retry, log);
    persistQueues.set(link, writer);
    return writer;
  };

  const passedOver = new WeakSet<AgentLink>();
  /** A frame of a newer agent; logged once per connection. */
  const passOver = ({ serverId }: AgentSession, link: AgentLink) => {
    if (!passedOver.has(link)) log.info({ serverId }, 'ignored an unknown frame from a newer Game Agent');
    passedOver.add(link);
  };

  const sockets = createSocketTransport(timing.hello, handshakeLimits, {
    admit,
    passOver,
    arrive(admitted, hello, link) {
      attach(admitted, link);
      link.send(welcome(admitted, hello));
      for (const frame of standing(admitted.session, hello)) link.send(frame);
      void commands.pump(admitted.session.serverId);
    },
    take(session, link, frame, size) {
      // Another link has replaced it; the agent will repeat there what it says.
      if (session.link !== link) return;
      heard(session);
      const work = take(session, link, frame, (said) => link.send(said));
      if (work) writerOf(link)(link, work, size);
    },
    left: detach,
    now,
    log,
  });
  const takePoll = createPolls({
    async admit(hello, source) {
      const outcome = await admit(hello, source);
      // The work took a moment, and no one is left to end a poll that is held from now on.
      demandReady();
      return outcome;
    },
    nonces,
    commands,
    tasks,
    take,
    arrive: attach,
    passOver,
    heard,
    welcome,
    standing,
    holdMs: timing.hold,
    now,
  });
  return { sockets, takePoll };
};
