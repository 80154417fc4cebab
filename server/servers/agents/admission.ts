import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { problems } from '#contracts/kernel/problems.ts';
import type { AgentRefusal } from '#contracts/servers/agent-connection.ts';
import { type HelloFrame, numberingOf } from '#contracts/servers/agent-protocol.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { normalizeForwardedHeaders } from '#runtime/http/forwarded-headers.ts';
import { createApp } from '#runtime/http/routes.ts';
import { isOwnMachine, isProxyHeader } from '#runtime/http/this-machine.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import { createThrottle } from '#runtime/throttle/throttle.ts';
import type { EventRecorder } from '../../kernel/events/event-recorder.ts';
import { type AgentProof, fingerprintOf } from './agent-proof.ts';
import type { AgentMode, AgentPins, AgentRefused, AgentSession, LinkFacts } from './agent-session.ts';

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
    normalizeForwardedHeaders(headers);
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

export type AgentEvents = Pick<EventRecorder, 'record'>;

/** Budget for wrong proofs of one address block. */
const wrongProofs = { capacity: 10, refillMs: 10_000 };
/** Budget for refusals in the event log, for all addresses together. */
const refusalEvents = { capacity: 30, refillMs: 10_000 };
/** Seconds after which an agent that may be admitted once a person has acted tries again. */
const comeAgainSeconds: Partial<Record<AgentRefusal, number>> = {
  AGENT_KEY_MISMATCH: 30,
  AGENT_SERVER_UNKNOWN: 60,
  AGENT_GAME_MISMATCH: 60,
  AGENT_TLS_REQUIRED: 60,
};

export const refuseAgent = (
  code: AgentRefusal,
  detail = `${problems[code].meaning} ${problems[code].remedy}`,
  retryAfterSeconds: number | null = comeAgainSeconds[code] ?? null,
): AgentRefused => ({ code, detail, retryAfterSeconds });

/** The same refusal over HTTP. */
export const problemOf = ({ code, detail, retryAfterSeconds }: AgentRefused): Problem =>
  new Problem(code, {
    detail,
    headers: retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) },
  });

export type AgentRefusals = ReturnType<typeof createAgentRefusals>;

export const createAgentRefusals = (options: {
  readonly events: AgentEvents;
  /** Interval between two lines or events about the same subject. */
  readonly newsEveryMs: number;
  readonly now: () => number;
  readonly log: Log;
}) => {
  const { events, newsEveryMs, now, log } = options;
  const news = { capacity: 1, refillMs: newsEveryMs };
  const throttle = createThrottle({ wrongProofs, refusalEvents, news }, now);
  return {
    /** A proof was wrong: counts it, and says so, or that there were too many. Right proofs are never counted. */
    wrongProof(address: string): AgentRefused {
      const block = countedAddress(address);
      const waitMs = throttle.take([{ scope: 'wrongProofs', subject: block }]);
      if (waitMs > 0) return refuseAgent('AGENT_THROTTLED', undefined, Math.ceil(waitMs / 1000));
      return refuseAgent('AGENT_PROOF_WRONG');
    },
    /** Tells people about it, at intervals. @param session of the server that it wanted, if there is one */
    tell(refused: AgentRefused, address: string, session: AgentSession | null): void {
      const { code, detail } = refused;
      const block = countedAddress(address);
      // Nothing that was sent is repeated: someone may have put the secret where the server's id belongs.
      if (throttle.take([{ scope: 'news', subject: `log ${block}` }]) === 0)
        log.warn({ code, address }, 'rejected a Game Agent');
      // Those that come too often were reported before.
      if (code === 'AGENT_THROTTLED') return;
      if (session) session.lastRefusal = { ...refused, at: new Date(), address };
      const waitMs = throttle.take([
        { scope: 'refusalEvents', subject: '' },
        { scope: 'news', subject: `event ${session?.serverId} ${block}` },
      ]);
      if (waitMs > 0) return;
      events.record(
        'agent.refused',
        { code, detail, address },
        session ? { serverId: session.serverId } : {},
      );
    },
  };
};

/** The game servers in use. */
export interface AgentServers {
  get(id: string): { readonly name: string; readonly game: GameId } | null;
  ids(): Iterable<string>;
}

/** Where a hello comes from, and whether its nonce is one to prove over. */
interface HelloSource {
  readonly mode: AgentMode;
  readonly origin: RequestOrigin;
  isFresh(nonce: string): boolean;
  /** False when it was used before. */
  use(nonce: string): boolean;
}

export interface Admitted {
  readonly session: AgentSession;
  readonly facts: LinkFacts;
  readonly serverName: string;
  /** The proof that it was checked with, so that the API can prove itself, too. */
  readonly proof: AgentProof;
}

export type Admit = (hello: HelloFrame, source: HelloSource) => Promise<Admitted | AgentRefused>;

/** Whether remote agents may connect without TLS: the current value of the setting `agents.allowPlainAgents`. */
export type AllowPlain = () => boolean | Promise<boolean>;

/** The setting is read only if it matters. */
export const isRefusedAsPlain = async (
  { isEncrypted, isLocal }: RequestOrigin,
  allowPlain: AllowPlain,
): Promise<boolean> => !isEncrypted && !isLocal && !(await allowPlain());

/**
 * Decides whether an agent is admitted. Nothing here is visible to a client that does not know the secret: the secret is
 * checked before the server is looked up. A server whose agent was enrolled accepts only that agent's own secret.
 */
export const createAdmission = (options: {
  /** By the server's own secret if it has one, otherwise by the shared one. */
  readonly proofOf: (serverId: string) => AgentProof;
  readonly servers: AgentServers;
  readonly sessionOf: (serverId: string) => AgentSession;
  readonly pins: AgentPins;
  readonly refusals: AgentRefusals;
  readonly events: AgentEvents;
  readonly allowPlain: AllowPlain;
  readonly changed: (serverId: string) => void;
  readonly now: () => number;
}): Admit => {
  const { proofOf, servers, sessionOf, pins, refusals, events, allowPlain, changed, now } = options;

  const refusePin = (session: AgentSession, agentKey: string): AgentRefused | null => {
    if (session.pin) return session.pin.key === agentKey ? null : refuseAgent('AGENT_KEY_MISMATCH');
    const { replaced } = session;
    if (replaced?.key !== agentKey || now() >= replaced.untilMs) return null;
    const seconds = Math.ceil((replaced.untilMs - now()) / 1000);
    const detail = `This agent was replaced in the panel; another one is waited for. It may come again in ${seconds} s.`;
    return refuseAgent('AGENT_KEY_MISMATCH', detail, seconds);
  };

  const pinFirst = async (session: AgentSession, hello: HelloFrame, facts: LinkFacts, serverName: string) => {
    const { serverId, agentKey } = hello;
    const pinned = await pins.pin(hello, facts);
    if (!pinned) return refuseAgent('AGENT_KEY_MISMATCH');
    // Another one at the same moment may have come first, here or in the database.
    if (session.pin) return refusePin(session, agentKey);
    Object.assign(session, pinned, { replaced: null });
    if (pinned.pin.key !== agentKey) return refusePin(session, agentKey);
    const fingerprint = fingerprintOf(agentKey);
    events.record('agent.pinned', { name: serverName, fingerprint, address: facts.address }, { serverId });
    changed(serverId);
    return null;
  };

  return async (hello, { mode, origin, isFresh, use }) => {
    const { serverId, agentKey, journal } = hello;
    const { address } = origin;
    const proof = proofOf(serverId);
    const refuseAndTell = (refused: AgentRefused, isServerShown: boolean) => {
      refusals.tell(refused, address, isServerShown && servers.get(serverId) ? sessionOf(serverId) : null);
      return refused;
    };

    if (!isFresh(hello.nonce)) return refuseAgent('AGENT_NONCE_INVALID');
    if (!proof.isSecretProven(hello)) return refuseAndTell(refusals.wrongProof(address), true);
    if (!use(hello.nonce)) return refuseAgent('AGENT_NONCE_INVALID');
    if (!servers.get(serverId)) return refuseAndTell(refuseAgent('AGENT_SERVER_UNKNOWN'), false);
    if (!(await proof.isKeyProven(hello))) return refuseAndTell(refusals.wrongProof(address), true);
    if (await isRefusedAsPlain(origin, allowPlain))
      return refuseAndTell(refuseAgent('AGENT_TLS_REQUIRED'), true);
    // Looked up again: the checks took a moment.
    const server = servers.get(serverId);
    if (!server) return refuseAndTell(refuseAgent('AGENT_SERVER_UNKNOWN'), false);
    if (server.game !== hello.game) {
      const detail = `The panel has ${games[server.game].name} for this server, the agent ${games[hello.game].name}.`;
      return refuseAndTell(refuseAgent('AGENT_GAME_MISMATCH', detail), true);
    }
    const session = sessionOf(serverId);
    const facts: LinkFacts = {
      mode,
      address,
      isEncrypted: origin.isEncrypted,
      version: hello.agentVersion,
      journal,
      clockSkew: (Date.parse(hello.clock) - Date.now()) / 1000,
    };
    const refused =
      refusePin(session, agentKey) ??
      (session.pin ? null : await pinFirst(session, hello, facts, server.name));
    if (refused) return refuseAndTell(refused, true);
    if (session.journal !== journal) {
      const goesOn = numberingOf(session.journal) === numberingOf(journal);
      // What the previous process said last is written first; otherwise it would be written twice.
      if (goesOn) await session.writing;
      const lastEvent = goesOn ? session.lastEvent : 0;
      await pins.beginJournal(serverId, journal, lastEvent);
      Object.assign(session, { journal, lastEvent, isMemoryDoubted: true });
    }
    // Checked once more, after all the waiting: the agent may have been replaced, or its server archived.
    if (session.pin?.key !== agentKey)
      return refuseAndTell(refusePin(session, agentKey) ?? refuseAgent('AGENT_KEY_MISMATCH'), true);
    if (proofOf(serverId) !== proof) return refuseAndTell(refusals.wrongProof(address), true);
    if (!servers.get(serverId)) return refuseAndTell(refuseAgent('AGENT_SERVER_UNKNOWN'), false);
    return { session, facts, serverName: server.name, proof };
  };
};

export const isAdmitted = (outcome: Admitted | AgentRefused): outcome is Admitted => 'session' in outcome;
