import type { GameId } from '#contracts/servers/games.ts';
import type { ListedPlayer } from '#games/game.ts';
import { findSession, learn, matchSessions, type OngoingSession } from './player-session.ts';
import { isSameList, type SeenPlayer, seenPlayers } from './seen-player.ts';

export type ListSource = 'agent' | 'direct';

/** In milliseconds. */
export const rosterTiming = {
  /** A list counts as unknown when no source has confirmed it for this long: no source is silent longer. */
  staleMs: 180_000,
  /** After being unknown for this long, all players count as gone. */
  graceMs: 120_000,
  /** A player seen again after this long without news counts as newly joined. */
  resumeMs: 600_000,
  /** A log's report takes precedence for this long over a list that the agent calls unchanged. */
  observedMs: 30_000,
} as const;

/** Sessions that ended while the database was unreachable, on one server; the oldest are dropped. */
const mostEnded = 2000;

/** Who is on one server, in memory: what is known now, and the part of the past not written yet. The caller passes the time. */
export interface ServerRoster {
  readonly serverId: string;
  readonly game: GameId;
  readonly open: ReadonlySet<OngoingSession>;
  /** Not written yet. */
  readonly ended: ReadonlySet<OngoingSession>;
  readonly isKnown: boolean;
  readonly source: ListSource | null;
  readonly asOf: Date | null;
  /** @returns whether anything but times has changed; so do the others */
  takeListing(source: ListSource, listed: readonly ListedPlayer[], at: Date): boolean;
  /** The agent's list, while the game is not online. */
  remember(listed: readonly ListedPlayer[]): void;
  /** The agent reports that its list is unchanged. */
  confirm(at: Date): boolean;
  takeJoin(player: SeenPlayer, at: Date): boolean;
  takeLeave(player: SeenPlayer, at: Date): boolean;
  /** No source can tell who is online. */
  lose(at: Date): boolean;
  /** Ends sessions that went unconfirmed for too long. */
  expire(at: Date): boolean;
  /** Restores a session from the database; the first list decides whether it is still true. */
  resume(session: OngoingSession): void;
  /** These have been written. */
  forget(ended: Iterable<OngoingSession>): void;
  /** The database has erased these players: their past is not written, and players online start over. */
  forgetPlayers(playerIds: ReadonlySet<string>, at: Date): boolean;
}

const none: ReadonlySet<OngoingSession> = new Set();

/** A class, because there are thousands: closures and getters would be created for each. */
class Roster implements ServerRoster {
  readonly serverId: string;
  readonly game: GameId;
  readonly open = new Set<OngoingSession>();
  isKnown = false;
  source: ListSource | null = null;
  asOf: Date | null = null;
  /** Created on demand, which is rare. */
  #ended: Set<OngoingSession> | null = null;
  #unknownSince: Date | null = null;
  #ofAgent: readonly ListedPlayer[] | null = null;
  /** The list that `open` reflects; null once something else has changed it. */
  #current: readonly ListedPlayer[] | null = null;
  #observedAtMs = Number.NEGATIVE_INFINITY;
  /** This list already includes what a log reports from before it. */
  #ruledAtMs: number | null = null;

  constructor(serverId: string, game: GameId) {
    this.serverId = serverId;
    this.game = game;
  }

  get ended(): ReadonlySet<OngoingSession> {
    return this.#ended ?? none;
  }

  takeListing(from: ListSource, listed: readonly ListedPlayer[], at: Date): boolean {
    if (from === 'agent') this.#ofAgent = listed;
    this.#ruledAtMs = at.getTime();
    return this.#apply(from, listed, at);
  }

  remember(listed: readonly ListedPlayer[]): void {
    this.#ofAgent = listed;
  }

  confirm(at: Date): boolean {
    if (!this.#ofAgent) return false;
    const isFresh = at.getTime() - this.#observedAtMs < rosterTiming.observedMs;
    if (isFresh && this.isKnown && this.source === 'agent') return this.#touch('agent', at);
    return this.#apply('agent', this.#ofAgent, at);
  }

  takeJoin(player: SeenPlayer, at: Date): boolean {
    if (this.#ruledAtMs === null || at.getTime() < this.#ruledAtMs) return false;
    const session = findSession(this.open, player);
    if (session && (player.platformId === null || session.platformId === player.platformId)) return false;
    if (session) learn(session, player);
    else if (isAmbiguous(this.open, player)) return false;
    else this.#begin(player, at);
    this.#current = null;
    this.#observedAtMs = at.getTime();
    return true;
  }

  takeLeave(player: SeenPlayer, at: Date): boolean {
    if (this.#ruledAtMs === null || at.getTime() < this.#ruledAtMs) return false;
    const session = findSession(this.open, player);
    if (!session) return false;
    this.#end(session, at);
    this.#current = null;
    this.#observedAtMs = at.getTime();
    return true;
  }

  lose(at: Date): boolean {
    if (!this.isKnown) return false;
    this.isKnown = false;
    this.#unknownSince = at;
    return true;
  }

  expire(at: Date): boolean {
    if (this.isKnown) return false;
    const before = this.open.size;
    for (const session of [...this.open]) {
      const deadline = this.#unknownSince
        ? this.#unknownSince.getTime() + rosterTiming.graceMs
        : session.confirmedAt.getTime() + rosterTiming.resumeMs;
      if (at.getTime() > deadline) this.#end(session, session.confirmedAt);
    }
    if (this.open.size < before) this.#current = null;
    return this.open.size < before;
  }

  resume(session: OngoingSession): void {
    this.open.add(session);
    this.#current = null;
  }

  forget(written: Iterable<OngoingSession>): void {
    for (const session of written) this.#ended?.delete(session);
    if (this.#ended?.size === 0) this.#ended = null;
  }

  forgetPlayers(playerIds: ReadonlySet<string>, at: Date): boolean {
    const isErased = ({ stored }: OngoingSession) => stored !== null && playerIds.has(stored.playerId);
    this.forget([...this.ended].filter(isErased));
    const erased = [...this.open].filter(isErased);
    for (const session of erased) {
      this.open.delete(session);
      this.#begin(session, later(at, session.confirmedAt));
    }
    return erased.length > 0;
  }

  #end(session: OngoingSession, at: Date) {
    session.leftAt = later(at, session.joinedAt);
    if (session.confirmedAt > session.leftAt) session.confirmedAt = session.leftAt;
    this.open.delete(session);
    this.#ended ??= new Set();
    const ended = this.#ended.add(session);
    for (const oldest of ended) {
      if (ended.size <= mostEnded) break;
      if (!oldest.stored) ended.delete(oldest);
    }
  }

  #begin({ name, platformId, handle }: SeenPlayer, at: Date) {
    this.open.add({
      name,
      platformId,
      handle,
      joinedAt: at,
      confirmedAt: at,
      leftAt: null,
      toldUntil: null,
      stored: null,
    });
  }

  #touch(from: ListSource, at: Date): boolean {
    this.asOf = at;
    for (const session of this.open) session.confirmedAt = later(session.confirmedAt, at);
    const isChanged = !this.isKnown || this.source !== from;
    this.isKnown = true;
    this.source = from;
    this.#unknownSince = null;
    return isChanged;
  }

  #apply(from: ListSource, listed: readonly ListedPlayer[], at: Date): boolean {
    let isChanged = false;
    for (const session of this.open)
      if (at.getTime() - session.confirmedAt.getTime() > rosterTiming.resumeMs) {
        this.#end(session, session.confirmedAt);
        isChanged = true;
      }
    if (isChanged || !this.#current || !isSameList(this.#current, listed)) {
      isChanged = this.#rule(seenPlayers(listed), at) || isChanged;
      this.#current = listed;
    }
    return this.#touch(from, at) || isChanged;
  }

  #rule(seen: readonly SeenPlayer[], at: Date): boolean {
    let isChanged = false;
    const found = matchSessions(this.open, seen);
    const present = new Set(found.values());
    // The exact time of leaving between the last list and this one is unknown.
    for (const session of [...this.open])
      if (!present.has(session)) {
        this.#end(session, this.isKnown ? at : session.confirmedAt);
        isChanged = true;
      }
    for (const player of seen) {
      const session = found.get(player);
      if (session) isChanged = learn(session, player) || isChanged;
      else {
        this.#begin(player, at);
        isChanged = true;
      }
    }
    return isChanged;
  }
}

export const createServerRoster = (serverId: string, game: GameId): ServerRoster =>
  new Roster(serverId, game);

const later = (one: Date, other: Date): Date => (one < other ? other : one);

/** Several players of this name are online, and a log does not say which one it means. */
const isAmbiguous = (open: ReadonlySet<OngoingSession>, { name, platformId }: SeenPlayer): boolean =>
  platformId === null && [...open].some((session) => session.name === name);
