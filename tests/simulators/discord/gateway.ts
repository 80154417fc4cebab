import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context, Tailor } from './context.ts';
import {
  areKnownIntents,
  hasPrivilege,
  isOfShard,
  offerEvent,
  opcode,
  type Session,
  sendDispatch,
  sendGuild,
  sendMembers,
} from './gateway-session.ts';
import type { Guild } from './state.ts';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const closeCode = {
  unknownOpcode: [4001, 'Unknown opcode.'],
  decodeError: [4002, 'Error while decoding payload.'],
  notAuthenticated: [4003, 'Not authenticated.'],
  authenticationFailed: [4004, 'Authentication failed.'],
  alreadyAuthenticated: [4005, 'Already authenticated.'],
  invalidSeq: [4007, 'Invalid seq.'],
  rateLimited: [4008, 'Rate limited.'],
  sessionTimedOut: [4009, 'Session timed out.'],
  invalidShard: [4010, 'Invalid shard.'],
  invalidVersion: [4012, 'Invalid API version.'],
  invalidIntents: [4013, 'Invalid intent(s).'],
  disallowedIntents: [4014, 'Disallowed intent(s).'],
} as const satisfies Record<string, readonly [number, string]>;

export interface Identify {
  readonly token: string;
  readonly intents: number;
  readonly shard?: readonly [number, number];
  readonly properties?: object;
  readonly presence?: unknown;
  readonly large_threshold?: number;
}

interface Resume {
  readonly token: string;
  readonly session_id: string;
  readonly seq: number;
}

export interface Gateway {
  /** Each received IDENTIFY, accepted or not. */
  readonly identified: readonly Identify[];
  /** How often a session was resumed. */
  readonly resumed: number;
  readonly heartbeats: number;
  readonly sessions: ReadonlyMap<string, Session>;
  readonly connections: number;
  /** Asks every app to reconnect and resume, as before a gateway restart. */
  reconnect(): void;
  /** Tells every app that its session is invalid, and whether it may still resume it. */
  invalidate(isResumable: boolean): void;
  /** Requests an immediate heartbeat. */
  requestHeartbeat(): void;
  /** Ends every connection; without a code, like a broken cable. */
  cut(code?: number): void;
}

const mostPayloadBytes = 4096;
const usualLargeThreshold = 50;
const minuteMs = 60_000;
/** A heartbeat may be late by this share of its interval. */
const heartbeatTolerance = 1.25;

export const openGateway = (
  server: Server,
  context: Context,
): Gateway & Pick<Context, 'dispatch'> & { close(): void } => {
  const { settings, state, faults, now } = context;
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = new Map<string, Session>();
  const identified: Identify[] = [];
  const identifiedAt = new Map<number, number[]>();
  const listedAt = new Map<string, number>();
  let resumed = 0;
  let heartbeats = 0;

  const url = context.origin.replace('http', 'ws');
  const close = (socket: WebSocket, [code, reason]: readonly [number, string]) => socket.close(code, reason);
  const invalidSession = (socket: WebSocket, isResumable: boolean) =>
    socket.send(JSON.stringify({ op: opcode.invalidSession, d: isResumable }));

  /** Too many at a time get op 9; too many in a day invalidate the token. */
  const isStartAllowed = (socket: WebSocket, shardId: number): boolean => {
    const { sessionStarts, identifyWindowMs } = settings;
    const key = shardId % sessionStarts.maxConcurrency;
    const recent = (identifiedAt.get(key) ?? []).filter((at) => at > now() - identifyWindowMs);
    identifiedAt.set(key, [...recent, now()]);
    if (recent.length > 0) {
      invalidSession(socket, false);
      return false;
    }
    sessionStarts.remaining -= 1;
    if (sessionStarts.remaining >= 0) return true;
    state.application.tokens.clear();
    close(socket, closeCode.authenticationFailed);
    return false;
  };

  /** https://docs.discord.com/developers/events/gateway#identifying */
  const identify = (socket: WebSocket, asked: Identify): Session | null => {
    identified.push(asked);
    const [shardId, shardCount] = asked.shard ?? [0, 1];
    const refuse = (why: keyof typeof closeCode) => {
      close(socket, closeCode[why]);
      return null;
    };
    if (faults.refuseIdentifyWith !== null) {
      socket.close(faults.refuseIdentifyWith);
      return null;
    }
    if (!state.application.tokens.has(asked.token)) return refuse('authenticationFailed');
    if (!(Number.isInteger(shardId) && shardId >= 0 && shardId < shardCount)) return refuse('invalidShard');
    if (!areKnownIntents(asked.intents)) return refuse('invalidIntents');
    if (!hasPrivilege(state.application.flags, asked.intents)) return refuse('disallowedIntents');
    if (!isStartAllowed(socket, shardId) || faults.silentFrom === 'ready') return null;
    const session: Session = {
      id: randomBytes(16).toString('hex'),
      token: asked.token,
      intents: asked.intents,
      shard: [shardId, shardCount],
      largeThreshold: asked.large_threshold ?? usualLargeThreshold,
      presence: asked.presence ?? null,
      seq: 0,
      unacknowledged: [],
      socket,
      lostAt: null,
    };
    sessions.set(session.id, session);
    const guilds = [...state.guilds.values()].filter(
      (guild) => isHere(guild) && isOfShard(guild.id, session.shard),
    );
    sendDispatch(session, 'READY', {
      v: 10,
      user_settings: {},
      user: { ...state.application.user, verified: true, mfa_enabled: true, email: null, flags: 0 },
      session_type: 'normal',
      session_id: session.id,
      resume_gateway_url: url,
      relationships: [],
      private_channels: [],
      presences: [],
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      guild_join_requests: [],
      geo_ordered_rtc_regions: [],
      auth: {},
      shard: session.shard,
      application: { id: state.application.id, flags: state.application.flags },
    });
    for (const guild of guilds) if (guild.isAvailable) sendGuild(session, guild, state.application.id);
    return session;
  };

  const isHere = (guild: Guild) => guild.members.has(state.application.id);

  const isOver = ({ lostAt }: Session) => lostAt !== null && lostAt + settings.sessionLifeMs < now();

  /** https://docs.discord.com/developers/events/gateway#resuming */
  const resume = (socket: WebSocket, { token, session_id, seq }: Resume): Session | null => {
    const session = sessions.get(session_id);
    if (!state.application.tokens.has(token)) {
      close(socket, closeCode.authenticationFailed);
      return null;
    }
    if (!session || session.token !== token || isOver(session)) {
      sessions.delete(session_id);
      invalidSession(socket, false);
      return null;
    }
    if (seq > session.seq) {
      sessions.delete(session_id);
      close(socket, closeCode.invalidSeq);
      return null;
    }
    if (session.socket !== socket) session.socket?.terminate();
    Object.assign(session, { socket, lostAt: null });
    resumed += 1;
    acknowledge(session, seq);
    for (const frame of session.unacknowledged) socket.send(JSON.stringify(frame));
    sendDispatch(session, 'RESUMED', {});
    return session;
  };

  const acknowledge = ({ unacknowledged }: Session, seq: number) => {
    const first = unacknowledged.findIndex(({ s }) => s > seq);
    unacknowledged.splice(0, first === -1 ? unacknowledged.length : first);
  };

  const serve = (socket: WebSocket, version: string | null) => {
    let session: Session | null = null;
    let sent: number[] = [];
    const beatMs = settings.heartbeatIntervalMs;
    // A missing heartbeat ends the connection; the app may resume.
    const silence = setTimeout(() => close(socket, closeCode.sessionTimedOut), beatMs * heartbeatTolerance);
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      clearTimeout(silence);
      if (session?.socket !== socket) return;
      Object.assign(session, { socket: null, lostAt: now() });
      // With these codes an app says that it will not come back.
      if (code === 1000 || code === 1001) sessions.delete(session.id);
    });
    if (version !== '10') return close(socket, closeCode.invalidVersion);
    if (faults.silentFrom !== 'hello')
      socket.send(JSON.stringify({ op: opcode.hello, s: null, t: null, d: { heartbeat_interval: beatMs } }));
    socket.on('message', (bytes: Buffer) => {
      sent = [...sent.filter((at) => at > now() - minuteMs), now()];
      if (sent.length > settings.gatewayEventsPerMinute) return close(socket, closeCode.rateLimited);
      const frame = bytes.length > mostPayloadBytes ? null : parse(bytes);
      if (frame === null) return close(socket, closeCode.decodeError);
      const { op, d } = frame;
      if (op === opcode.heartbeat) {
        heartbeats += 1;
        silence.refresh();
        if (session && typeof d === 'number') acknowledge(session, d);
        if (!faults.withholdAcks) socket.send(JSON.stringify({ op: opcode.heartbeatAck }));
        return;
      }
      const isSignedIn = session?.socket === socket;
      if (op === opcode.identify || op === opcode.resume) {
        if (isSignedIn) return close(socket, closeCode.alreadyAuthenticated);
        session = op === opcode.identify ? identify(socket, d as Identify) : resume(socket, d as Resume);
        return;
      }
      if (!Object.values<number>(opcode).includes(op)) return close(socket, closeCode.unknownOpcode);
      if (!session || !isSignedIn) return close(socket, closeCode.notAuthenticated);
      if (op === opcode.presenceUpdate) session.presence = d;
      if (op === opcode.requestGuildMembers)
        sendMembers(context, session, d as Parameters<typeof sendMembers>[2], listedAt);
    });
  };

  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    const { searchParams } = new URL(request.url ?? '/', url);
    const refused = ['compress', 'encoding'].find(
      (name) =>
        !['json', null].includes(searchParams.get(name)) || (name === 'compress' && searchParams.has(name)),
    );
    if (refused) {
      const text = `This stand-in speaks plain JSON alone: leave out "${refused}".\n`;
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => serve(opened, searchParams.get('v')));
  });

  const toAll = (frame: object) => {
    for (const socket of sockets.clients) socket.send(JSON.stringify(frame));
  };
  return {
    identified,
    get resumed() {
      return resumed;
    },
    get heartbeats() {
      return heartbeats;
    },
    sessions,
    get connections() {
      return sockets.clients.size;
    },
    dispatch(event: string, data: object, guild: Guild, tailor?: Tailor) {
      if (!guild.isAvailable || !isHere(guild)) return;
      for (const session of sessions.values()) {
        if (isOver(session)) sessions.delete(session.id);
        else offerEvent(session, event, data, guild, tailor);
      }
    },
    reconnect: () => toAll({ op: opcode.reconnect, d: null }),
    invalidate(isResumable) {
      toAll({ op: opcode.invalidSession, d: isResumable });
      // The connections stay: an app may resume or identify on its existing one.
      for (const session of sessions.values()) Object.assign(session, { socket: null, lostAt: now() });
      if (!isResumable) sessions.clear();
    },
    requestHeartbeat: () => toAll({ op: opcode.heartbeat, d: null }),
    cut(code) {
      for (const socket of sockets.clients) {
        if (code === undefined) socket.terminate();
        else socket.close(code);
      }
    },
    close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
};

const parse = (bytes: Buffer): { readonly op: number; readonly d: unknown } | null => {
  try {
    const frame: unknown = JSON.parse(bytes.toString());
    return typeof frame === 'object' && frame !== null && 'op' in frame
      ? (frame as { op: number; d: unknown })
      : null;
  } catch {
    return null;
  }
};
