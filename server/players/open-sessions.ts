import type { ServerRoster } from './server-roster.ts';

/** A session that lasts, as memory has it. */
export interface OpenSession {
  readonly serverId: string;
  readonly sessionId: string;
  readonly playerId: string;
  readonly name: string;
  /** Empty when it is not known. */
  readonly handle: string;
  readonly joinedAt: Date;
  readonly confirmedAt: Date;
  /** False: nobody can tell at the moment. */
  readonly isCertain: boolean;
}

/** Those of a roster that are written down. */
export const openSessionsOf = ({ serverId, open, isKnown: isCertain }: ServerRoster): OpenSession[] =>
  [...open].flatMap(({ stored, name, handle, joinedAt, confirmedAt }) => {
    if (!stored) return [];
    const { sessionId, playerId } = stored;
    return [{ serverId, sessionId, playerId, name, handle, joinedAt, confirmedAt, isCertain }];
  });
