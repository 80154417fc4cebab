import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { ServerState } from '#contracts/servers/agent-protocol.ts';
import type { LinkState } from '#games/link/reconnecting-console.ts';

export interface GameFacts {
  readonly link: Pick<LinkState, 'status' | 'failure'>;
  /** Since the game last answered, in milliseconds; null when it never did. */
  readonly answeredAgoMs: number | null;
  /** Since the game's process started, in milliseconds; null when that is not known. */
  readonly upMs?: number | null | undefined;
  /** Since it last listed its players, in milliseconds; null when it never did. */
  readonly listedAgoMs: number | null;
  /** Why its last answer was missing or unreadable; null when it was fine. */
  readonly complaint: string | null;
  /** How long an answer counts, if questions are rarer than usual. */
  readonly holdsMs?: number | undefined;
}

export interface ServerReading {
  readonly state: ServerState;
  readonly detail: string | null;
}

/** An answer counts this long: three questions and some patience. */
export const answerHoldsMs = 20_000;

type Failure = NonNullable<LinkState['failure']>;

/** The game is not running, or accepts no one. */
export const isDown = ({ outcome }: Pick<Failure, 'outcome'>): boolean =>
  outcome === 'connection refused' || outcome === 'not ready';

/**
 * What can honestly be said about the game: it is online only because it answered a moment ago. Its players are reported with
 * that, so if the list can no longer be read, it is not online.
 */
export const readServerState = (facts: GameFacts): ServerReading => {
  const { link, listedAgoMs, complaint, upMs = null, holdsMs = answerHoldsMs } = facts;
  // An earlier process gave an older answer.
  const answeredAgoMs =
    (facts.answeredAgoMs ?? 0) > (upMs ?? Number.POSITIVE_INFINITY) ? null : facts.answeredAgoMs;
  const { failure } = link;
  if (failure && isDown(failure))
    return {
      state: failure.outcome === 'not ready' ? 'starting' : 'offline',
      detail: failure.detail,
    };
  if (answeredAgoMs !== null && answeredAgoMs <= holdsMs)
    return listedAgoMs === null || listedAgoMs <= holdsMs
      ? { state: 'online', detail: listedAgoMs === null ? complaint : null }
      : {
          state: 'unknown',
          detail: [consoleReasons['status-players-unknown'], ...(complaint ? [complaint] : [])].join(' '),
        };
  if (failure) return { state: 'unknown', detail: failure.detail };
  return { state: 'unknown', detail: complaint ?? consoleReasons['status-not-answered'] };
};
