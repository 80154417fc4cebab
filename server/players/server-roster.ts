import type { GameId } from '#contracts/games.ts';
import type { ListedPlayer } from '#games/game.ts';
import { findSession, learn, matchSessions, type OngoingSession } from './player-session.ts';
import { isSameList, type SeenPlayer, seenPlayers } from './seen-player.ts';

export type ListSource = 'agent' | 'direct';

/** Milliseconds. */
export const rosterTiming = {
  /** A list that nobody confirms for so long is not known any more: no source is silent longer. */
  staleMs: 180_000,
  /** Not known for so long, and everybody counts as gone. */
  graceMs: 120_000,
  /** Whoever is seen again after so long without word has come anew. */
  resumeMs: 600_000,
  /** What the log tells holds for so long against a list that the agent calls unchanged. */
  observedMs: 30_000,
} as const;

/** Stays that ended while the database was away, on one server; the oldest ones are let go of. */
const mostEnded = 2000;

/** Who is on one server, in memory: what is known now, and what of the past is not written yet. Who calls says when. */
export interface ServerRoster {
  readonly serverId: string;
  readonly game: GameId;
  readonly open: ReadonlySet<OngoingSession>;
  /** Not written yet. */
  readonly ended: ReadonlySet<OngoingSession>;
  readonly isKnown: boolean;
  readonly source: ListSource | null;
  readonly asOf: Date | null;
  /** @returns whether anything but times has changed, as do the others */
  takeListing(source: ListSource, listed: readonly ListedPlayer[], at: Date): boolean;
  /** The agent's list, while the game is not online. */
  remember(listed: readonly ListedPlayer[]): void;
  /** The agent says that its list is the one that came last. */
  confirm(at: Date): boolean;
  takeJoin(player: SeenPlayer, at: Date): boolean;
  takeLeave(player: SeenPlayer, at: Date): boolean;
  /** Nobody can tell who is there. */
  lose(at: Date): boolean;
  /** Ends what was not confirmed for too long. */
  expire(at: Date): boolean;
  /** Takes in what the database has from before, for the first list to tell what is still true of it. */
  resume(session: OngoingSession): void;
  /** These have been written. */
  forget(ended: Iterable<OngoingSession>): void;
  /** The database has erased these players: what they did is not written, and who is there begins again. */
  forgetPlayers(playerIds: ReadonlySet<string>, at: Date): boolean;
}

const none: ReadonlySet<OngoingSession> = new Set();

/** A class, because there are thousands: closures and getters would be made for each. */
class Roster implements ServerRoster {
  readonly serverId: string;
  readonly game: GameId;
  readonly open = new Set<OngoingSession>();
  isKnown = false;
  source: ListSource | null = null;
  asOf: Date | null = null;
  /** Made when it is needed, which is seldom. */
  #ended: Set<OngoingSession> | null = null;
  #unknownSince: Date | null = null;
  #ofAgent: readonly ListedPlayer[] | null = null;
  /** The list that `open` is; null once something else has changed it. */
  #current: readonly ListedPlayer[] | null = null;
  #observedAtMs = Number.NEGATIVE_INFINITY;
  /** What a log tells of before this list is in it already. */
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
    // Between the last list and this one nobody knows when they went.
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

/** Several of this name are there, and a log does not tell which. */
const isAmbiguous = (open: ReadonlySet<OngoingSession>, { name, platformId }: SeenPlayer): boolean =>
  platformId === null && [...open].some((session) => session.name === name);
