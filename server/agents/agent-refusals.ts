import type { AgentRefusal } from '#contracts/agent-connection.ts';
import { problems } from '#contracts/problems.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import { createThrottle } from '#runtime/throttle/throttle.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { AgentRefused } from './agent-link.ts';
import type { AgentSession } from './agent-session.ts';

export type AgentEvents = Pick<EventRecorder, 'record'>;

/** Budget for wrong proofs of one address block. */
const wrongProofs = { capacity: 10, refillMs: 10_000 };
/** Budget for refusals in the event log, for all addresses together. */
const refusalEvents = { capacity: 30, refillMs: 10_000 };
/** Seconds after which an agent that may be let in once a person has acted tries again. */
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

export interface AgentRefusalsOptions {
  readonly events: AgentEvents;
  /** Interval between two lines or events about the same subject. */
  readonly newsEveryMs: number;
  readonly now: () => number;
  readonly log: Log;
}

export interface AgentRefusals {
  /** A proof was wrong: counts it, and says so, or that there were too many. Right proofs are never counted. */
  wrongProof(address: string): AgentRefused;
  /** Tells people about it, at intervals. @param session of the server that it wanted, if there is one */
  tell(refused: AgentRefused, address: string, session: AgentSession | null): void;
}

export const createAgentRefusals = ({
  events,
  newsEveryMs,
  now,
  log,
}: AgentRefusalsOptions): AgentRefusals => {
  const news = { capacity: 1, refillMs: newsEveryMs };
  const throttle = createThrottle({ wrongProofs, refusalEvents, news }, now);
  return {
    wrongProof(address) {
      const block = countedAddress(address);
      const waitMs = throttle.take([{ scope: 'wrongProofs', subject: block }]);
      if (waitMs > 0) return refuseAgent('AGENT_THROTTLED', undefined, Math.ceil(waitMs / 1000));
      return refuseAgent('AGENT_PROOF_WRONG');
    },
    tell(refused, address, session) {
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
