import type { ServerRoster } from './server-roster.ts';

/** An open session, as in memory. */
export interface OpenSession {
  readonly serverId: string;
  readonly sessionId: string;
  readonly playerId: string;
  readonly name: string;
  /** Empty when unknown. */
  readonly handle: string;
  readonly joinedAt: Date;
  readonly confirmedAt: Date;
  /** False: no source can tell at the moment. */
  readonly isCertain: boolean;
}

/** The sessions of a roster that are written to the database. */
export const openSessionsOf = ({ serverId, open, isKnown: isCertain }: ServerRoster): OpenSession[] =>
  [...open].flatMap(({ stored, name, handle, joinedAt, confirmedAt }) => {
    if (!stored) return [];
    const { sessionId, playerId } = stored;
    return [{ serverId, sessionId, playerId, name, handle, joinedAt, confirmedAt, isCertain }];
  });
