import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Kysely } from 'kysely';
import {
  type ApiFrame,
  agentCloseCodes,
  agentProtocolVersion,
  type HelloFrame,
  type PollAnswer,
  type PollRequest,
} from '#contracts/agent-protocol.ts';
import type { Agent } from '#contracts/agents.ts';
import type { CommandResult } from '#contracts/games.ts';
import type { AgentsHealth } from '#contracts/health.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { Secret } from '#runtime/secret.ts';
import type { By } from '../access/by.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import { type Admitted, type AgentServers, createAdmission, isRefusedAsPlain } from './admission.ts';
import { createAgentCommands, type RunOptions } from './agent-commands.ts';
import type { AgentLink } from './agent-link.ts';
import { createAgentPins } from './agent-pins.ts';
import { createAgentProof } from './agent-proof.ts';
import { type AgentEvents, createAgentRefusals, problemOf, refuseAgent } from './agent-refusals.ts';
import { type AgentTiming, usualTiming } from './agent-timing.ts';
import { agentHealthView, agentView } from './agent-view.ts';
import { createCommandRows, giveUpSent } from './command-rows.ts';
import { type AgentObservers, createFrameIntake } from './frame-intake.ts';
import { createNonces } from './nonces.ts';
import type { PollLink } from './poll-link.ts';
import { createPolls } from './polls.ts';
import { forgetPin } from './replace-agent.ts';
import type { ReadOrigin } from './request-origin.ts';
import { emptySeat, type Seat } from './seats.ts';
import { writeSeenTimes } from './seen-times.ts';
import { type Arrival, createSocketDoor } from './socket-door.ts';
import { createUnwrittenWork } from './unwritten-work.ts';
import { type RoomLimits, usualRoomLimits } from './waiting-room.ts';

export interface AgentGatewayOptions {
  readonly db: Kysely<Tables>;
  /** GAME_AGENT_SECRET. */
  readonly secret: Secret;
  readonly servers: AgentServers;
  /** The setting `agents.allowPlainAgents`, as it is now. */
  readonly allowPlain: () => boolean | Promise<boolean>;
  readonly readOrigin: ReadOrigin;
  readonly events: AgentEvents;
  readonly observers: AgentObservers;
  readonly log: Log;
  readonly timing?: Partial<AgentTiming>;
  /** For connections that have not said who they are. */
  readonly roomLimits?: RoomLimits;
}

export interface AgentGateway extends AsyncDisposable {
  /** Loads what is known of agents and commands. Agents are let in from then on. May be called again. */
  prepare(): Promise<void>;
  /** Makes a WebSocket of an HTTP upgrade. @throws {Problem} when it may not be one */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** @throws {Problem} */
  challenge(request: IncomingMessage): Promise<{ v: typeof agentProtocolVersion; nonce: string }>;
  /** @throws {Problem} */
  poll(body: PollRequest, request: IncomingMessage): Promise<PollAnswer>;
  /**
   * Has the server's agent carry out a command, once, whatever breaks meanwhile. Never sent in time, it is `expired`;
   * sent without a result in time, `timeout`, and a result that comes later is still written down.
   * @throws {Problem} SHUTTING_DOWN, DATABASE_UNAVAILABLE
   */
  run(serverId: string, command: string, options: RunOptions): Promise<CommandResult>;
  /** Connected, and heard of lately. */
  isPresent(serverId: string): boolean;
  /** An agent is pinned. */
  isKnown(serverId: string): boolean;
  /** Null for a server that is not in use. */
  reading(serverId: string): Agent | null;
  /** Of every server in use. */
  readings(): AgentsHealth['agents'];
  list(isVisible: (serverId: string) => boolean): Agent[];
  /** Forgets the pinned key and ends the present agent: another one takes its place. */
  replace(serverId: string, by: By): Promise<Agent | Refusal>;
  /** Lines of the game's console are wanted for so long; 0: no longer. */
  watch(serverId: string, seconds: number): void;
  /** The server is archived: its agent is sent away and unsent commands end. The key stays, for its return. */
  forget(serverId: string): void;
  /** Ends every connection. The reason has at most 123 bytes. */
  closeAll(code: number, reason: string): void;
  /** WebSockets, with those that have not said who they are. */
  readonly connections: number;
}

const v = agentProtocolVersion;
/** Agents that one sweep sends away; closing all at once would hold up everything else. */
const mostStalePerSweep = 200;

/** Where Game Agents meet the API. */
export const createAgentGateway = (options: AgentGatewayOptions): AgentGateway => {
  const { db, servers, readOrigin, events, observers, allowPlain, log } = options;
  const timing: AgentTiming = { ...usualTiming, ...options.timing };
  const now = () => performance.now();

  let seats = new Map<string, Seat>();
  let isPrepared = false;
  let isStopping = false;
  const seatOf = (serverId: string): Seat => {
    const seat = seats.get(serverId) ?? emptySeat(serverId, now());
    seats.set(serverId, seat);
    return seat;
  };

  const proof = createAgentProof(options.secret);
  const nonces = createNonces(timing.nonceLife, now);
  const pins = createAgentPins(db);
  const commands = createAgentCommands({
    rows: createCommandRows(db),
    linkOf: (serverId) => seats.get(serverId)?.link ?? null,
    now,
    graceMs: timing.grace,
    retryMs: timing.retry,
    log,
  });
  const take = createFrameIntake({ observers, commands, pins, now, log });
  const admit = createAdmission({
    proof,
    servers,
    seatOf,
    pins,
    refusals: createAgentRefusals({ events, newsEveryMs: timing.refusalNews, now, log }),
    events,
    allowPlain,
    async onJournalLost(serverId) {
      if (commands.waitingFor(serverId) > 0) commands.giveUp(serverId, await giveUpSent(db, serverId));
    },
    changed: observers.changed,
    now,
  });

  const heard = (seat: Seat) => {
    seat.heardMs = now();
    seat.seenAt = new Date();
    seat.isDirty = true;
    if (!seat.stale) return;
    seat.stale = false;
    observers.changed(seat.serverId);
  };
  const welcome = ({ facts, serverName }: Admitted, hello: HelloFrame): ApiFrame => ({
    v,
    type: 'welcome',
    proof: proof.ofApi(hello),
    serverName,
    heartbeatSeconds: timing.heartbeat[facts.mode] / 1000,
    staleSeconds: timing.stale[facts.mode] / 1000,
  });
  const watchFrame = ({ watchUntilMs }: Seat): ApiFrame | null => {
    const seconds = Math.ceil((watchUntilMs - now()) / 1000);
    return seconds > 0 ? { v, type: 'watch', seconds } : null;
  };

  /** The newer way to a server's agent is the one that counts. */
  const sitDown = ({ seat, facts, serverName }: Admitted, link: AgentLink) => {
    const { serverId } = seat;
    const older = seat.link;
    const isNew = seat.seenAt === null;
    const wasAway = seat.stale || now() - seat.heardMs > timing.stale[seat.mode];
    seat.link = link;
    older?.end(agentCloseCodes.superseded, 'another connection', refuseAgent('AGENT_SUPERSEDED'));
    const { mode, version, address } = facts;
    if (isNew || (wasAway && !seat.isQuiet))
      events.record('agent.connected', { name: serverName, mode, version, address }, { serverId });
    Object.assign(seat, { mode, version, address, lastRefusal: null, isStaleNews: true, isQuiet: false });
    heard(seat);
    observers.changed(serverId);
  };
  const getUp = (seat: Seat, link: AgentLink) => {
    if (seat.link !== link) return;
    seat.link = null;
    observers.changed(seat.serverId);
  };

  const arriveBySocket = (admitted: Admitted, hello: HelloFrame, link: AgentLink): Arrival => {
    const { seat } = admitted;
    sitDown(admitted, link);
    link.send(welcome(admitted, hello));
    const watching = watchFrame(seat);
    if (watching) link.send(watching);
    void commands.pump(seat.serverId);
    let write: ReturnType<typeof createUnwrittenWork> | null = null;
    return {
      link,
      take(frame, size) {
        // Another one has taken its place; what it says it will say again there.
        if (seat.link !== link) return;
        heard(seat);
        const work = take(seat, link, frame, link.send);
        if (!work) return;
        write ??= createUnwrittenWork(timing.retry, log);
        write(link, work, size);
      },
      left: () => getUp(seat, link),
    };
  };
  const door = createSocketDoor({
    admit,
    arrive: arriveBySocket,
    helloMs: timing.hello,
    roomLimits: options.roomLimits ?? usualRoomLimits,
    now,
    log,
  });
  const takePoll = createPolls({
    admit,
    nonces,
    commands,
    take,
    arrive: sitDown,
    heard,
    welcome,
    watchFrame,
    holdMs: timing.hold,
    now,
  });

  const endLink = (seat: Seat, ...how: Parameters<AgentLink['end']>) => {
    const { link } = seat;
    if (!link) return;
    getUp(seat, link);
    link.end(...how);
  };
  const growStale = (seat: Seat, name: string) => {
    seat.stale = true;
    const { serverId, seenAt, isStaleNews, isQuiet } = seat;
    if (isStaleNews && !isQuiet && seenAt)
      events.record('agent.stale', { name, lastSeenAt: seenAt.toISOString() }, { serverId });
    endLink(seat, agentCloseCodes.timedOut, 'no heartbeat in time');
    observers.changed(serverId);
  };
  const sweep = () => {
    door.sweep();
    let left = mostStalePerSweep;
    const nowMs = now();
    for (const seat of seats.values()) {
      if (seat.link?.mode === 'polling') (seat.link as PollLink).sweep(nowMs);
      if (seat.stale || !seat.pin || nowMs - seat.heardMs <= timing.stale[seat.mode] || left === 0) continue;
      const server = servers.get(seat.serverId);
      if (!server) continue;
      left -= 1;
      growStale(seat, server.name);
    }
  };
  const sweeping = setInterval(sweep, timing.sweep).unref();
  let flushing: Promise<void> = Promise.resolve();
  const flush = () => {
    flushing = flushing.then(() => writeSeenTimes(seats.values(), pins, log));
    return flushing;
  };
  const flusher = setInterval(() => void flush(), timing.flush).unref();

  const demandReady = () => {
    if (isStopping) throw new Problem('SHUTTING_DOWN');
    if (!isPrepared) throw new Problem('DATABASE_UNAVAILABLE');
  };
  const closeAll = (code: number, reason: string) => {
    for (const seat of seats.values()) {
      seat.isQuiet = true;
      if (seat.link?.mode === 'polling') endLink(seat, code, reason);
    }
    door.closeAll(code, reason);
  };
  const reading = (serverId: string): Agent | null => {
    const server = servers.get(serverId);
    return server && agentView(serverId, server, seats.get(serverId), commands.waitingFor(serverId));
  };

  return {
    async prepare() {
      isPrepared = false;
      seats = await pins.load(now());
      await commands.load();
      isPrepared = true;
    },
    async upgrade(request, socket, head) {
      demandReady();
      door.open(request, socket, head, readOrigin(request));
    },
    async challenge(request) {
      if (await isRefusedAsPlain(readOrigin(request), allowPlain))
        throw problemOf(refuseAgent('AGENT_TLS_REQUIRED'));
      return { v, nonce: nonces.issue() };
    },
    async poll(body, request) {
      demandReady();
      return takePoll(body, { origin: readOrigin(request), socket: request.socket });
    },
    run: async (serverId, command, how) => {
      if (isStopping) throw new Problem('SHUTTING_DOWN');
      return commands.run(serverId, command, how);
    },
    isPresent(serverId) {
      const seat = seats.get(serverId);
      return seat?.link?.isOpen === true && !seat.stale;
    },
    isKnown: (serverId) => seats.get(serverId)?.pin != null,
    reading,
    readings: () =>
      [...servers.ids()].flatMap((serverId) => {
        const server = servers.get(serverId);
        return server ? [agentHealthView(serverId, server, seats.get(serverId))] : [];
      }),
    list: (isVisible) => [...servers.ids()].filter(isVisible).flatMap((serverId) => reading(serverId) ?? []),
    async replace(serverId, by) {
      if (!servers.get(serverId)) return refuse('NOT_FOUND');
      const seat = seatOf(serverId);
      if (seat.pin) {
        const untilMs = now() + timing.replacedRest;
        commands.giveUp(serverId, await forgetPin(db, seat, by, untilMs));
        Object.assign(seat, {
          seenAt: null,
          stale: false,
          journal: '',
          lastEvent: 0,
          version: '',
          address: '',
        });
        const seconds = Math.ceil(timing.replacedRest / 1000);
        const refused = refuseAgent('AGENT_KEY_MISMATCH', 'This agent was replaced in the panel.', seconds);
        endLink(seat, agentCloseCodes.refused, 'replaced', refused);
        observers.changed(serverId);
      }
      return reading(serverId) ?? refuse('NOT_FOUND');
    },
    watch(serverId, seconds) {
      const seat = seatOf(serverId);
      seat.watchUntilMs = now() + seconds * 1000;
      if (seat.link?.isReady) seat.link.send({ v, type: 'watch', seconds });
    },
    forget(serverId) {
      commands.cancelUnsent(serverId);
      const seat = seats.get(serverId);
      const refused = refuseAgent('AGENT_SERVER_UNKNOWN');
      if (seat) endLink(seat, agentCloseCodes.refused, 'archived', refused);
    },
    closeAll,
    get connections() {
      return door.size;
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      clearInterval(sweeping);
      clearInterval(flusher);
      closeAll(agentCloseCodes.goingAway, 'shutting down');
      commands[Symbol.dispose]();
      await door.emptied;
      await flush();
    },
  };
};
