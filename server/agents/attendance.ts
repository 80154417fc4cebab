import { agentCloseCodes } from '#contracts/agent-protocol.ts';
import type { Admitted, AgentServers } from './admission.ts';
import type { AgentLink } from './agent-link.ts';
import { type AgentEvents, refuseAgent } from './agent-refusals.ts';
import type { AgentTiming } from './agent-timing.ts';
import type { PollLink } from './poll-link.ts';
import type { Seat } from './seats.ts';

export interface AttendanceOptions {
  readonly seats: () => Iterable<Seat>;
  readonly servers: Pick<AgentServers, 'get'>;
  readonly events: AgentEvents;
  readonly changed: (serverId: string) => void;
  readonly stale: AgentTiming['stale'];
  readonly now: () => number;
}

/** Who is there: agents come, are heard, fall silent and go. */
export interface Attendance {
  /** The newer way to a server's agent is the one that counts. */
  sitDown(admitted: Admitted, link: AgentLink): void;
  heard(seat: Seat): void;
  getUp(seat: Seat, link: AgentLink): void;
  /** Ends the way to the agent, if there is one. */
  sendAway(seat: Seat, ...how: Parameters<AgentLink['end']>): void;
  /** Sends those away that were silent for too long, and ends holds of polls. */
  sweep(): void;
}

/** Agents that one sweep sends away; closing all at once would hold up everything else. */
const mostStalePerSweep = 200;

export const createAttendance = (options: AttendanceOptions): Attendance => {
  const { seats, servers, events, changed, stale, now } = options;

  const heard = (seat: Seat) => {
    seat.heardMs = now();
    seat.seenAtMs = Date.now();
    seat.isDirty = true;
    if (!seat.stale) return;
    seat.stale = false;
    changed(seat.serverId);
  };

  const getUp = (seat: Seat, link: AgentLink) => {
    if (seat.link !== link) return;
    seat.link = null;
    changed(seat.serverId);
  };

  const sendAway: Attendance['sendAway'] = (seat, ...how) => {
    const { link } = seat;
    if (!link) return;
    getUp(seat, link);
    link.end(...how);
  };

  const growStale = (seat: Seat, name: string) => {
    seat.stale = true;
    const { serverId, seenAtMs, isStaleNews, isQuiet } = seat;
    if (isStaleNews && !isQuiet && seenAtMs !== null) {
      const lastSeenAt = new Date(seenAtMs).toISOString();
      events.record('agent.stale', { name, lastSeenAt }, { serverId });
    }
    sendAway(seat, agentCloseCodes.timedOut, 'no heartbeat in time');
    changed(serverId);
  };

  return {
    sitDown({ seat, facts: { mode, version, address }, serverName }, link) {
      const { serverId } = seat;
      const older = seat.link;
      const isNew = seat.seenAtMs === null;
      const wasAway = seat.stale || now() - seat.heardMs > stale[seat.mode];
      seat.link = link;
      older?.end(agentCloseCodes.superseded, 'another connection', refuseAgent('AGENT_SUPERSEDED'));
      if (isNew || (wasAway && !seat.isQuiet))
        events.record('agent.connected', { name: serverName, mode, version, address }, { serverId });
      Object.assign(seat, { mode, version, address, lastRefusal: null, isStaleNews: true, isQuiet: false });
      heard(seat);
      changed(serverId);
    },
    heard,
    getUp,
    sendAway,
    sweep() {
      let left = mostStalePerSweep;
      const nowMs = now();
      for (const seat of seats()) {
        if (seat.link?.mode === 'polling') (seat.link as PollLink).sweep(nowMs);
        if (seat.stale || !seat.pin || nowMs - seat.heardMs <= stale[seat.mode] || left === 0) continue;
        const server = servers.get(seat.serverId);
        if (!server) continue;
        left -= 1;
        growStale(seat, server.name);
      }
    },
  };
};
