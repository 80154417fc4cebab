import { type HelloFrame, numberingOf } from '#contracts/agent-protocol.ts';
import { type GameId, games } from '#contracts/games.ts';
import type { AgentMode, AgentRefused, LinkFacts } from './agent-link.ts';
import type { AgentPins } from './agent-pins.ts';
import { type AgentProof, fingerprintOf } from './agent-proof.ts';
import type { AgentEvents, AgentRefusals } from './agent-refusals.ts';
import { refuseAgent } from './agent-refusals.ts';
import type { AgentSession } from './agent-session.ts';
import type { RequestOrigin } from './request-origin.ts';

/** The game servers in use. */
export interface AgentServers {
  get(id: string): { readonly name: string; readonly game: GameId } | null;
  ids(): Iterable<string>;
}

export interface AdmissionOptions {
  /** By the server's own secret if it has one, otherwise by the shared one. */
  readonly proofOf: (serverId: string) => AgentProof;
  readonly servers: AgentServers;
  readonly sessionOf: (serverId: string) => AgentSession;
  readonly pins: AgentPins;
  readonly refusals: AgentRefusals;
  readonly events: AgentEvents;
  /** Remote agents may connect without TLS. */
  readonly allowPlain: () => boolean | Promise<boolean>;
  readonly changed: (serverId: string) => void;
  readonly now: () => number;
}

/** Where a hello comes from, and whether its nonce is one to prove over. */
export interface HelloSource {
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

/** The setting is read only if it matters. */
export const isRefusedAsPlain = async (
  { isEncrypted, isLocal }: RequestOrigin,
  allowPlain: AdmissionOptions['allowPlain'],
): Promise<boolean> => !isEncrypted && !isLocal && !(await allowPlain());

/**
 * Decides whether an agent is let in. Nothing here is visible to a client that does not know the secret: the secret is
 * checked before the server is looked up. A server whose agent was enrolled accepts only that agent's own secret.
 */
export const createAdmission = (options: AdmissionOptions): Admit => {
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
