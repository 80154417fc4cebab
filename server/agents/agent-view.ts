import type { Agent } from '#contracts/agents.ts';
import type { AgentsHealth } from '#contracts/health.ts';
import type { AgentServers } from './admission.ts';
import { fingerprintOf } from './agent-proof.ts';
import type { Seat } from './seats.ts';

type Server = NonNullable<ReturnType<AgentServers['get']>>;

const lastSeen = (seat: Seat | undefined): string | null =>
  typeof seat?.seenAtMs === 'number' ? new Date(seat.seenAtMs).toISOString() : null;

/** As `GET /api/agents` shows a server's agent; a server without one has no seat. */
export const agentView = (
  serverId: string,
  { name, game }: Server,
  seat: Seat | undefined,
  waitingCommands: number,
): Agent => ({
  serverId,
  serverName: name,
  game,
  mode: seat?.link?.mode ?? null,
  stale: seat?.stale ?? false,
  lastSeenAt: lastSeen(seat),
  connectedAt: seat?.link?.connectedAt ?? null,
  state: seat?.link ? seat.state : null,
  detail: seat?.link ? seat.detail : null,
  version: seat?.version || null,
  address: seat?.address || null,
  encrypted: seat?.link?.isEncrypted ?? null,
  keyFingerprint: seat?.pin ? fingerprintOf(seat.pin.key) : null,
  pinnedAt: seat?.pin?.pinnedAt ?? null,
  clockSkewSeconds: seat?.link?.clockSkew ?? null,
  waitingCommands,
  lastRefusal: seat?.lastRefusal
    ? {
        at: seat.lastRefusal.at.toISOString(),
        code: seat.lastRefusal.code,
        detail: seat.lastRefusal.detail,
        address: seat.lastRefusal.address,
      }
    : null,
});

/** What an agent last said, and when. */
export interface AgentWord extends Pick<Agent, 'mode' | 'state' | 'detail'> {
  /** Unix time in milliseconds. */
  readonly seenAtMs: number | null;
}

export const agentWord = ({ link, state, detail, seenAtMs }: Seat): AgentWord => ({
  mode: link?.mode ?? null,
  state: link ? state : null,
  detail: link ? detail : null,
  seenAtMs,
});

/** As the health endpoints show it. */
export const agentHealthView = (
  serverId: string,
  { name }: Server,
  seat: Seat | undefined,
): AgentsHealth['agents'][number] => ({
  serverId,
  serverName: name,
  mode: seat?.link?.mode ?? null,
  lastSeenAt: lastSeen(seat),
  stale: seat?.stale ?? false,
});
