import { agentCloseCodes } from '#contracts/agent-protocol.ts';
import type { Admitted, AgentServers } from './admission.ts';
import type { AgentLink } from './agent-link.ts';
import { type AgentEvents, refuseAgent } from './agent-refusals.ts';
import type { AgentSession } from './agent-session.ts';
import type { AgentTiming } from './agent-timing.ts';
import type { PollLink } from './poll-link.ts';

export interface AgentSessionsOptions {
  readonly sessions: () => Iterable<AgentSession>;
  readonly servers: Pick<AgentServers, 'get'>;
  readonly events: AgentEvents;
  readonly changed: (serverId: string) => void;
  readonly stale: AgentTiming['stale'];
  readonly now: () => number;
}

/** Who is there: agents come, are heard, fall silent and leave. */
export interface AgentSessions {
  /** The newest link to a server's agent is the one that counts. */
  attach(admitted: Admitted, link: AgentLink): void;
  heard(session: AgentSession): void;
  detach(session: AgentSession, link: AgentLink): void;
  /** Ends the link to the agent, if there is one. */
  sendAway(session: AgentSession, ...how: Parameters<AgentLink['end']>): void;
  /** Sends agents away that were silent for too long, and ends held polls. */
  sweep(): void;
}

/** Agents that one sweep sends away; closing all of them together would block everything else. */
const mostStalePerSweep = 200;

export const createAgentSessions = (options: AgentSessionsOptions): AgentSessions => {
  const { sessions, servers, events, changed, stale, now } = options;

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
      for (const session of sessions()) {
        if (session.link?.mode === 'polling') (session.link as PollLink).sweep(nowMs);
        if (session.stale || !session.pin || nowMs - session.heardMs <= stale[session.mode] || left === 0)
          continue;
        const server = servers.get(session.serverId);
        if (!server) continue;
        left -= 1;
        markStale(session, server.name);
      }
    },
  };
};
