import type { ServerState } from '#contracts/agent-protocol.ts';
import type { LinkState } from '#games/link/console-keeper.ts';

export interface GameFacts {
  readonly link: Pick<LinkState, 'status' | 'failure'>;
  /** Since the game last answered, in milliseconds; null when it never did. */
  readonly answeredAgoMs: number | null;
  /** Why its last answer could not be had or read; null when it was. */
  readonly complaint: string | null;
}

export interface ServerReading {
  readonly state: ServerState;
  readonly detail: string | null;
}

/** An answer counts for so long: three questions and some patience. */
export const answerHoldsMs = 20_000;

/** What can honestly be said of the game: it is online only because it answered a moment ago. */
export const readServerState = ({ link, answeredAgoMs, complaint }: GameFacts): ServerReading => {
  const { failure } = link;
  if (failure?.outcome === 'connection refused') return { state: 'offline', detail: failure.detail };
  if (failure?.outcome === 'not ready') return { state: 'starting', detail: failure.detail };
  if (answeredAgoMs !== null && answeredAgoMs <= answerHoldsMs) return { state: 'online', detail: null };
  if (failure) return { state: 'unknown', detail: failure.detail };
  return { state: 'unknown', detail: complaint ?? 'The game has not answered yet.' };
};
