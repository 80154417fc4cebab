import type { ServerState } from '#contracts/agent-protocol.ts';
import type { LinkState } from '#games/link/reconnecting-console.ts';

export interface GameFacts {
  readonly link: Pick<LinkState, 'status' | 'failure'>;
  /** Since the game last answered, in milliseconds; null when it never did. */
  readonly answeredAgoMs: number | null;
  /** Since it last said who is there, in milliseconds; null when it never did. */
  readonly listedAgoMs: number | null;
  /** Why its last answer could not be had or read; null when it was. */
  readonly complaint: string | null;
  /** For how long an answer counts where questions are rarer than usual. */
  readonly holdsMs?: number | undefined;
}

export interface ServerReading {
  readonly state: ServerState;
  readonly detail: string | null;
}

/** An answer counts for so long: three questions and some patience. */
export const answerHoldsMs = 20_000;

type Failure = NonNullable<LinkState['failure']>;

/** There is no game, or none that takes anybody. */
export const isDown = ({ outcome }: Pick<Failure, 'outcome'>): boolean =>
  outcome === 'connection refused' || outcome === 'not ready';

/**
 * What can honestly be said of the game: it is online only because it answered a moment ago. Who was on it is said along with
 * that, so where the list cannot be read any more, it is not.
 */
export const readServerState = (facts: GameFacts): ServerReading => {
  const { link, answeredAgoMs, listedAgoMs, complaint, holdsMs = answerHoldsMs } = facts;
  const { failure } = link;
  if (failure && isDown(failure))
    return {
      state: failure.outcome === 'not ready' ? 'starting' : 'offline',
      detail: failure.detail,
    };
  if (answeredAgoMs !== null && answeredAgoMs <= holdsMs)
    return listedAgoMs === null || listedAgoMs <= holdsMs
      ? { state: 'online', detail: listedAgoMs === null ? complaint : null }
      : { state: 'unknown', detail: `The game answers, but not who is on it. ${complaint ?? ''}`.trim() };
  if (failure) return { state: 'unknown', detail: failure.detail };
  return { state: 'unknown', detail: complaint ?? 'The game has not answered yet.' };
};
