import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Kysely } from 'kysely';
import type * as z from 'zod';
import type { AgentsHealth } from '#contracts/operations/health.ts';
import type { EnrolmentAnswer, EnrolmentRequest } from '#contracts/servers/agent-enrolment.ts';
import type { AgentRequestProof, agentFilesHttp } from '#contracts/servers/agent-files.ts';
import {
  agentCloseCodes,
  agentProtocolVersion,
  type PollAnswer,
  type PollRequest,
} from '#contracts/servers/agent-protocol.ts';
import { type UploadedPart, uploadProofHeader } from '#contracts/servers/agent-uploads.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { Secret } from '#runtime/secret.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type {
  AgentReport,
  AgentRunOptions,
  AgentSending,
  PreparedSending,
} from '../../kernel/commands/routes.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import type { AgentTasks } from '../agent-tasks.ts';
import {
  type AgentEvents,
  type AgentServers,
  type AllowPlain,
  createAdmission,
  createAgentRefusals,
  isRefusedAsPlain,
  problemOf,
  type ReadOrigin,
  refuseAgent,
} from './admission.ts';
import { createAgentCommands } from './agent-commands.ts';
import {
  type AgentFileSources,
  createAgentFiles,
  createRequestAdmission,
  createUploadAdmission,
  type FilePart,
  type ReleaseOffer,
} from './agent-files.ts';
import { createAgentProof, createNonces } from './agent-proof.ts';
import { createAgentPins } from './agent-session.ts';
import { createAgentSessions } from './agent-sessions.ts';
import {
  type AgentTiming,
  createAgentTransports,
  defaultHandshakeLimits,
  type HandshakeLimits,
  usualTiming,
} from './agent-transports.ts';
import { agentHealthView, agentReport, agentView } from './agent-view.ts';
import { createCommandRows } from './command-rows.ts';
import { createAgentEnrolment } from './enrolment/enrolment-exchange.ts';
import { type AgentObservers, createFrameIntake } from './frame-intake.ts';
import { createReplaceAgent } from './replace-agent.ts';

export interface AgentGatewayOptions {
  readonly db: Kysely<Tables>;
  /** GAME_AGENT_SECRET. */
  readonly secret: Secret;
  /** For codes of enrolments, and for enrolled agents' own secrets. */
  readonly secrets: Secrets;
  readonly servers: AgentServers;
  readonly allowPlain: AllowPlain;
  readonly readOrigin: ReadOrigin;
  readonly events: AgentEvents;
  readonly offerRelease: ReleaseOffer;
  readonly chatFormsOf?: ((serverId: string) => readonly string[] | null) | undefined;
  readonly observers: AgentObservers;
  readonly tasks: TaskLane & Pick<AgentTasks, 'machineOf'>;
  /** Where files and keys of mods come from; without it there are none. */
  readonly fileSources?: AgentFileSources | undefined;
  readonly log: Log;
  readonly timing?: Partial<AgentTiming>;
  /** For connections that have not said who they are. */
  readonly handshakeLimits?: HandshakeLimits;
  /** Unix time in milliseconds; decides when enrolments end. */
  readonly wallNow?: () => number;
}

export type AgentGateway = ReturnType<typeof createAgentGateway>;

const v = agentProtocolVersion;

/** Where Game Agents meet the API. */
export const createAgentGateway = (options: AgentGatewayOptions) => {
  const { db, secrets, servers, readOrigin, events, observers, tasks, allowPlain, log } = options;
  const { changed } = observers;
  const timing: AgentTiming = { ...usualTiming, ...options.timing };
  const now = () => performance.now();

  let isPrepared = false;
  let isStopping = false;
  const demandReady = () => {
    if (isStopping) throw new Problem('SHUTTING_DOWN');
    if (!isPrepared) throw new Problem('DATABASE_UNAVAILABLE');
  };

  const pins = createAgentPins(db, secrets, log);
  const sessions = createAgentSessions({ pins, servers, events, changed, stale: timing.stale, now });
  const { linkOf, sendAway } = sessions;
  const sharedProof = createAgentProof(options.secret);
  const proofOf = (serverId: string) => sessions.find(serverId)?.proof ?? sharedProof;
  const nonces = createNonces(timing.nonceLife, now);
  const rows = createCommandRows(db, secrets);
  const commands = createAgentCommands({
    rows,
    linkOf,
    now,
    graceMs: timing.grace,
    retryMs: timing.retry,
    log,
  });
  const refusals = createAgentRefusals({ events, newsEveryMs: timing.refusalNews, now, log });
  const { sockets, takePoll } = createAgentTransports({
    admit: createAdmission({
      proofOf,
      servers,
      sessionOf: sessions.of,
      pins,
      refusals,
      events,
      allowPlain,
      changed,
      now,
    }),
    nonces,
    sessions,
    commands,
    tasks,
    take: createFrameIntake({ observers, commands, tasks, pins, now, log }),
    offerRelease: options.offerRelease,
    chatFormsOf: options.chatFormsOf ?? (() => null),
    demandReady,
    timing,
    handshakeLimits: options.handshakeLimits ?? defaultHandshakeLimits,
    now,
    log,
  });

  const admitRequest = createRequestAdmission({
    proofOf,
    nonces,
    servers,
    sessionOf: sessions.find,
    refusals,
    allowPlain,
  });
  const admitUpload = createUploadAdmission(admitRequest);
  const files = createAgentFiles(admitRequest, tasks, options.fileSources);

  const replaceAgent = createReplaceAgent({
    db,
    secrets,
    commands,
    tasks,
    sessions,
    events,
    changed,
    restMs: timing.replacedRest,
    now,
    log,
  });
  const enrolment = createAgentEnrolment({
    db,
    secrets,
    servers,
    install: replaceAgent.install,
    refusals,
    allowPlain,
    readOrigin,
    wallNow: options.wallNow ?? Date.now,
    now,
  });

  const sweeping = setInterval(() => {
    sockets.sweep();
    sessions.sweep();
  }, timing.sweep).unref();
  const flusher = setInterval(() => void sessions.flush(), timing.flush).unref();

  const closeAll = (code: number, reason: string) => {
    for (const session of sessions.all()) {
      session.isQuiet = true;
      if (session.link?.facts.mode === 'polling') sendAway(session, code, reason);
    }
    sockets.closeAll(code, reason);
  };
  const reading = (serverId: string): Agent | null => {
    const server = servers.get(serverId);
    if (!server) return null;
    const session = sessions.find(serverId);
    return agentView(serverId, server, session, {
      waitingCommands: commands.waitingFor(serverId),
      offeredVersion: options.offerRelease(session?.version ?? '')?.version ?? null,
      machine: tasks.machineOf(serverId).machine,
    });
  };

  return {
    enrolments: enrolment.enrolments,
    /** Announces changes of enrolments. */
    enrolmentTopic: enrolment.topic,
    /** @throws {Problem} */
    async enrol(asked: EnrolmentRequest, request: IncomingMessage): Promise<EnrolmentAnswer> {
      demandReady();
      return enrolment.enrol(asked, request);
    },
    /** Loads what is known about agents and commands. Agents are admitted from then on. May be called again. */
    async prepare(): Promise<void> {
      // From then on memory knows better than the tables who is connected and what waits.
      if (isPrepared) return;
      await sessions.load();
      await commands.load();
      isPrepared = true;
    },
    /** Turns an HTTP upgrade into a WebSocket. @throws {Problem} when that is not allowed */
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      demandReady();
      sockets.open(request, socket, head, readOrigin(request));
    },
    /** @throws {Problem} */
    async challenge(request: IncomingMessage): Promise<{ v: typeof agentProtocolVersion; nonce: string }> {
      if (await isRefusedAsPlain(readOrigin(request), allowPlain))
        throw problemOf(refuseAgent('AGENT_TLS_REQUIRED'));
      return { v, nonce: nonces.issue() };
    },
    /** @throws {Problem} */
    async poll(body: PollRequest, request: IncomingMessage): Promise<PollAnswer> {
      demandReady();
      return takePoll(body, { origin: readOrigin(request), socket: request.socket });
    },
    /** A part of what a running task has found. @throws {Problem} */
    async upload(
      part: UploadedPart,
      content: Uint8Array,
      request: IncomingMessage,
    ): Promise<{ v: typeof agentProtocolVersion; nonce: string }> {
      demandReady();
      const header = request.headers[uploadProofHeader];
      const { serverId, sha256 } = await admitUpload(part, content, { header, origin: readOrigin(request) });
      await tasks.takeUpload(serverId, part, content, sha256);
      return { v, nonce: nonces.issue() };
    },
    /** A part of a file that a running task names. @throws {Problem} */
    async filePart(
      part: FilePart,
      shown: AgentRequestProof,
      request: IncomingMessage,
    ): Promise<z.output<typeof agentFilesHttp.part.response>> {
      demandReady();
      return { v, nonce: nonces.issue(), ...(await files.part(part, shown, readOrigin(request))) };
    },
    /** @throws {Problem} */
    async modKeys(
      taskId: string,
      shown: AgentRequestProof,
      request: IncomingMessage,
    ): Promise<z.output<typeof agentFilesHttp.modKeys.response>> {
      demandReady();
      return { v, nonce: nonces.issue(), ...(await files.keys(taskId, shown, readOrigin(request))) };
    },
    /**
     * Has the server's agent carry out a command, exactly once, no matter what breaks in between. A command that was not
     * sent in time is `expired`; one that was sent without a result in time is `timeout`, and a result that comes later
     * is still written.
     * @throws {Problem} SHUTTING_DOWN, DATABASE_UNAVAILABLE
     */
    run: async (serverId: string, command: string, how: AgentRunOptions): Promise<CommandResult> => {
      if (isStopping) throw new Problem('SHUTTING_DOWN');
      return commands.run(serverId, command, how);
    },
    /** Like `run`, but written in the caller's transaction. @throws {Problem} SHUTTING_DOWN */
    prepareCommands: async (
      trx: Kysely<Tables>,
      prepared: readonly AgentSending[],
    ): Promise<readonly PreparedSending[]> => {
      if (isStopping) throw new Problem('SHUTTING_DOWN');
      return commands.prepare(trx, prepared);
    },
    /** Waits for a command that was given before; null if there is none. Never gives one. @throws {Problem} SHUTTING_DOWN */
    resultOf: async (serverId: string, id: string): Promise<CommandResult | null> => {
      demandReady();
      return commands.resultOf(serverId, id);
    },
    /** Changes with every connection of the server's agent; null while there is none that takes commands. */
    connectionOf: linkOf,
    /** How these commands ended, as far as it is known. */
    results: rows.results,
    /** Connected, and heard from recently. */
    isPresent(serverId: string): boolean {
      const session = sessions.find(serverId);
      return session?.link?.isOpen === true && !session.stale;
    },
    /** An agent is pinned. */
    isKnown: (serverId: string): boolean => sessions.find(serverId)?.pin != null,
    /** Null for a server that is not in use. */
    reading,
    /** The few values that are read again and again; null when nothing was heard from an agent. */
    lastReport(serverId: string): AgentReport | null {
      const session = sessions.find(serverId);
      return session ? agentReport(session) : null;
    },
    /** One for every server in use. */
    readings: (): AgentsHealth['agents'] =>
      [...servers.ids()].flatMap((serverId) => {
        const server = servers.get(serverId);
        return server ? [agentHealthView(serverId, server, sessions.find(serverId))] : [];
      }),
    list: (isVisible: (serverId: string) => boolean): Agent[] =>
      [...servers.ids()].filter(isVisible).flatMap((serverId) => reading(serverId) ?? []),
    /** Forgets the pinned key and ends the present agent, so that another one can replace it. */
    async replace(serverId: string, by: AuditContext): Promise<Agent | Refusal> {
      // Before agents are loaded, it would seem that there is no one to replace.
      demandReady();
      if (servers.get(serverId)) await replaceAgent.forget(serverId, by);
      return reading(serverId) ?? refuse('NOT_FOUND');
    },
    /** Console lines are wanted for this many seconds; 0: no longer. */
    watch(serverId: string, seconds: number): void {
      const session = sessions.of(serverId);
      session.watchUntilMs = now() + seconds * 1000;
      if (session.link?.isReady) session.link.send({ v, type: 'watch', seconds });
    },
    /** How chat looks in the log of this server from now on. */
    tellChatForms(serverId: string, forms: readonly string[]): void {
      const link = sessions.find(serverId)?.link;
      // One that is not ready is told with its next welcome.
      if (link?.isReady) link.send({ v, type: 'chat-forms', forms: [...forms] });
    },
    /** The server is archived: its agent is sent away and unsent commands end. The key stays for its return. */
    forget(serverId: string): void {
      commands.cancelUnsent(serverId);
      tasks.endAll(serverId);
      const session = sessions.find(serverId);
      const refused = refuseAgent('AGENT_SERVER_UNKNOWN');
      if (session) sendAway(session, agentCloseCodes.refused, 'archived', refused);
    },
    /** Ends every connection. The reason has at most 123 bytes. */
    closeAll,
    /** Number of WebSockets, including those that have not said who they are. */
    get connections(): number {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      clearInterval(sweeping);
      clearInterval(flusher);
      closeAll(agentCloseCodes.goingAway, 'shutting down');
      commands[Symbol.dispose]();
      await sockets.emptied;
      await sessions.flush();
    },
  };
};
