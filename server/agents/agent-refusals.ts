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

/** Wrong proofs of one address block: so many at once, and then one in so many milliseconds. */
const wrongProofs = { capacity: 10, refillMs: 10_000 };
/** Refusals of all addresses together that are told in the event log. */
const refusalEvents = { capacity: 30, refillMs: 10_000 };
/** Seconds until one that may be let in after a person has acted comes again. */
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
  /** Between two lines or events about the same. */
  readonly newsEveryMs: number;
  readonly now: () => number;
  readonly log: Log;
}

export interface AgentRefusals {
  /** A proof was wrong: counts it, and says so, or that there were too many. Right proofs are never counted. */
  wrongProof(address: string): AgentRefused;
  /** Tells people of it, now and then. @param session of the server that it wanted, when there is one */
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
      // No word of what was sent: somebody may have put the secret where the server's id belongs.
      if (throttle.take([{ scope: 'news', subject: `log ${block}` }]) === 0)
        log.warn({ code, address }, 'a Game Agent was not let in');
      // Those that come too often were told of before.
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
