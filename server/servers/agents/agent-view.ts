import type { AgentsHealth, ComponentHealth } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { AgentMachine } from '#contracts/servers/agent-tasks-http.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import { compareVersions, releaseVersionPattern } from '#runtime/release/version-order.ts';
import type { AgentReport } from '../../kernel/commands/routes.ts';
import type { AgentServers } from './admission.ts';
import { fingerprintOf } from './agent-proof.ts';
import type { AgentSession } from './agent-session.ts';

type Server = NonNullable<ReturnType<AgentServers['get']>>;

/** What an agent reported before it was renewed no longer applies. */
const renewalView = (
  { at, facts: { renewal } }: NonNullable<AgentMachine['machine']>,
  version: string,
): Agent['renewal'] => {
  if (!renewal) return null;
  const { againInMs, ...told } = renewal;
  const isComparable = [told.version, version].every((text) => releaseVersionPattern.test(text ?? ''));
  if (isComparable && compareVersions(told.version ?? '', version) <= 0) return null;
  const againAt = againInMs === null ? null : new Date(Date.parse(at) + againInMs).toISOString();
  return { ...told, at, againAt };
};

const lastSeen = (session: AgentSession | undefined): string | null =>
  typeof session?.seenAtMs === 'number' ? new Date(session.seenAtMs).toISOString() : null;

/** A server's agent in the shape of `GET /api/agents`; a server without one has no session. */
export const agentView = (
  serverId: string,
  { name, game }: Server,
  session: AgentSession | undefined,
  {
    waitingCommands,
    offeredVersion,
    machine,
  }: {
    readonly waitingCommands: number;
    readonly offeredVersion: string | null;
    /** As last reported. */
    readonly machine: AgentMachine['machine'];
  },
): Agent => ({
  serverId,
  serverName: name,
  game,
  mode: session?.link?.facts.mode ?? null,
  stale: session?.stale ?? false,
  lastSeenAt: lastSeen(session),
  connectedAt: session?.link?.connectedAt ?? null,
  state: session?.link ? session.state : null,
  detail: session?.link ? session.detail : null,
  version: session?.version || null,
  offeredVersion,
  renewal: machine && renewalView(machine, session?.version ?? ''),
  address: session?.address || null,
  encrypted: session?.link?.facts.isEncrypted ?? null,
  keyFingerprint: session?.pin ? fingerprintOf(session.pin.key) : null,
  pinnedAt: session?.pin?.pinnedAt ?? null,
  clockSkewSeconds: session?.link?.facts.clockSkew ?? null,
  waitingCommands,
  lastRefusal: session?.lastRefusal
    ? {
        at: session.lastRefusal.at.toISOString(),
        code: session.lastRefusal.code,
        detail: session.lastRefusal.detail,
        address: session.lastRefusal.address,
      }
    : null,
});

export const agentReport = ({ link, state, detail, seenAtMs }: AgentSession): AgentReport => ({
  mode: link?.facts.mode ?? null,
  state: link ? state : null,
  detail: link ? detail : null,
  seenAtMs,
});

/** An agent in the shape of the health endpoints. */
export const agentHealthView = (
  serverId: string,
  { name }: Server,
  session: AgentSession | undefined,
): AgentsHealth['agents'][number] => ({
  serverId,
  serverName: name,
  mode: session?.link?.facts.mode ?? null,
  lastSeenAt: lastSeen(session),
  stale: session?.stale ?? false,
});

/** How many servers are named; an operator of hundreds looks at the list. */
const mostNamed = 3;

/** A silent agent is a problem of one server, not of the stack. */
export const agentsHealthOf = (agents: AgentsHealth['agents']): ComponentHealth => {
  const stale = agents.filter((agent) => agent.stale).map(({ serverName }) => serverName);
  if (stale.length === 0)
    return { status: 'ok', detail: agents.length === 0 ? healthReasons['no-servers-yet'] : null };
  const named = stale.slice(0, mostNamed).join(', ');
  const more = stale.length - mostNamed;
  const detail =
    more > 0 ? healthReasons['agents-silent-more'](named, more) : healthReasons['agents-silent'](named);
  return { status: 'degraded', detail };
};
