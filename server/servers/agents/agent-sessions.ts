import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { type Admitted, type AgentEvents, type AgentServers, refuseAgent } from './admission.ts';
import {
  type AgentLink,
  type AgentMode,
  type AgentPins,
  type AgentSession,
  newAgentSession,
} from './agent-session.ts';
import { isOfPolls } from './polls.ts';

/** Who is there: agents come, are heard, fall silent and leave. */
export interface AgentSessions {
  /** Replaces what is known by what is stored. */
  load(): Promise<void>;
  find(serverId: string): AgentSession | undefined;
  /** A new one if nothing is known about the server's agent. */
  of(serverId: string): AgentSession;
  all(): Iterable<AgentSession>;
  /** Null also while the agent has not said whether it remembers the commands that it was sent before. */
  linkOf(serverId: string): AgentLink | null;
  /** The newest link to a server's agent. */
  attach(admitted: Admitted, link: AgentLink): void;
  heard(session: AgentSession): void;
  detach(session: AgentSession, link: AgentLink): void;
  /** Ends the link to the agent, if there is one. */
  sendAway(session: AgentSession, ...how: Parameters<AgentLink['end']>): void;
  /** Sends agents away that were silent for too long, and ends held polls. */
  sweep(): void;
  /** Writes when agents were last seen, after what is being written already. */
  flush(): Promise<void>;
}

/** Agents that one sweep sends away; closing all of them together would block everything else. */
const mostStalePerSweep = 200;

export const createAgentSessions = (options: {
  readonly pins: Pick<AgentPins, 'load' | 'rememberSeen'>;
  readonly servers: Pick<AgentServers, 'get'>;
  readonly events: AgentEvents;
  readonly changed: (serverId: string) => void;
  /** An agent without a message for this long is stale. In milliseconds. */
  readonly stale: Readonly<Record<AgentMode, number>>;
  readonly now: () => number;
}): AgentSessions => {
  const { pins, servers, events, changed, stale, now } = options;
  let sessions = new Map<string, AgentSession>();
  let flushing: Promise<void> = Promise.resolve();

  const heard = (session: AgentSession) => {
    session.heardMs = now();
    session.seenAtMs = Date.now();
    session.isDirty = true;
    if (!session.stale) return;
    session.stale = false;
    changed(session.serverId);
  };

  const detach = (session: AgentSession, link: AgentLink) => {
    if (session.link !== link) return;
    session.link = null;
    changed(session.serverId);
  };

  const sendAway: AgentSessions['sendAway'] = (session, ...how) => {
    const { link } = session;
    if (!link) return;
    detach(session, link);
    link.end(...how);
  };

  const markStale = (session: AgentSession, name: string) => {
    session.stale = true;
    const { serverId, seenAtMs, isStaleNews, isQuiet } = session;
    if (isStaleNews && !isQuiet && seenAtMs !== null) {
      const lastSeenAt = new Date(seenAtMs).toISOString();
      events.record('agent.stale', { name, lastSeenAt }, { serverId });
    }
    sendAway(session, agentCloseCodes.timedOut, 'no heartbeat in time');
    changed(serverId);
  };

  return {
    async load() {
      sessions = await pins.load(now());
    },
    find: (serverId) => sessions.get(serverId),
    of(serverId) {
      const session = sessions.get(serverId) ?? newAgentSession(serverId, now());
      sessions.set(serverId, session);
      return session;
    },
    all: () => sessions.values(),
    linkOf(serverId) {
      const session = sessions.get(serverId);
      return session?.isMemoryDoubted ? null : (session?.link ?? null);
    },
    attach({ session, facts: { mode, version, address }, serverName }, link) {
      const { serverId } = session;
      const older = session.link;
      const isNew = session.seenAtMs === null;
      const wasAway = session.stale || now() - session.heardMs > stale[session.mode];
      session.link = link;
      older?.end(agentCloseCodes.superseded, 'another connection', refuseAgent('AGENT_SUPERSEDED'));
      if (isNew || (wasAway && !session.isQuiet))
        events.record('agent.connected', { name: serverName, mode, version, address }, { serverId });
      Object.assign(session, {
        mode,
        version,
        address,
        lastRefusal: null,
        isStaleNews: true,
        isQuiet: false,
      });
      heard(session);
      changed(serverId);
    },
    heard,
    detach,
    sendAway,
    sweep() {
      let left = mostStalePerSweep;
      const nowMs = now();
      for (const session of sessions.values()) {
        if (isOfPolls(session.link)) session.link.sweep(nowMs);
        if (session.stale || !session.pin || nowMs - session.heardMs <= stale[session.mode] || left === 0)
          continue;
        const server = servers.get(session.serverId);
        if (!server) continue;
        left -= 1;
        markStale(session, server.name);
      }
    },
    flush() {
      flushing = flushing.then(() => pins.rememberSeen(sessions.values()));
      return flushing;
    },
  };
};
