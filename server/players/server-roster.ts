import type { GameId } from '#contracts/games.ts';
import type { ListedPlayer } from '#games/game.ts';
import { isSameList, type SeenPlayer, seenPlayers } from './seen-player.ts';
import { findStay, learn, matchStays, type Stay } from './stays.ts';

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
  readonly open: ReadonlySet<Stay>;
  /** Not written yet. */
  readonly ended: ReadonlySet<Stay>;
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
  resume(stay: Stay): void;
  /** These have been written. */
  forget(ended: Iterable<Stay>): void;
}

export const createServerRoster = (serverId: string, game: GameId): ServerRoster => {
  const open = new Set<Stay>();
  const ended = new Set<Stay>();
  let isKnown = false;
  let source: ListSource | null = null;
  let asOf: Date | null = null;
  let unknownSince: Date | null = null;
  let ofAgent: readonly ListedPlayer[] | null = null;
  /** The list that `open` is; null once something else has changed it. */
  let current: readonly ListedPlayer[] | null = null;
  let observedAtMs = Number.NEGATIVE_INFINITY;
  /** What a log tells of before this list is in it already. */
  let ruledAt: Date | null = null;

  const end = (stay: Stay, at: Date) => {
    stay.leftAt = later(at, stay.joinedAt);
    if (stay.confirmedAt > stay.leftAt) stay.confirmedAt = stay.leftAt;
    open.delete(stay);
    ended.add(stay);
    for (const oldest of ended) {
      if (ended.size <= mostEnded) break;
      if (!oldest.stored) ended.delete(oldest);
    }
  };

  const begin = (player: SeenPlayer, at: Date) => {
    open.add({ ...player, joinedAt: at, confirmedAt: at, leftAt: null, stored: null });
  };

  const touch = (from: ListSource, at: Date) => {
    asOf = at;
    for (const stay of open) stay.confirmedAt = later(stay.confirmedAt, at);
    const isChanged = !isKnown || source !== from;
    isKnown = true;
    source = from;
    unknownSince = null;
    return isChanged;
  };

  const apply = (from: ListSource, listed: readonly ListedPlayer[], at: Date): boolean => {
    let isChanged = false;
    for (const stay of [...open])
      if (at.getTime() - stay.confirmedAt.getTime() > rosterTiming.resumeMs) {
        end(stay, stay.confirmedAt);
        isChanged = true;
      }
    if (isChanged || !current || !isSameList(current, listed)) {
      isChanged = rule(seenPlayers(listed), at) || isChanged;
      current = listed;
    }
    return touch(from, at) || isChanged;
  };

  const rule = (seen: readonly SeenPlayer[], at: Date): boolean => {
    let isChanged = false;
    const found = matchStays(open, seen);
    const present = new Set(found.values());
    // Between the last list and this one nobody knows when they went.
    for (const stay of [...open])
      if (!present.has(stay)) {
        end(stay, isKnown ? at : stay.confirmedAt);
        isChanged = true;
      }
    for (const player of seen) {
      const stay = found.get(player);
      if (stay) isChanged = learn(stay, player) || isChanged;
      else {
        begin(player, at);
        isChanged = true;
      }
    }
    return isChanged;
  };

  return {
    serverId,
    game,
    open,
    ended,
    get isKnown() {
      return isKnown;
    },
    get source() {
      return source;
    },
    get asOf() {
      return asOf;
    },
    takeListing(from, listed, at) {
      if (from === 'agent') ofAgent = listed;
      ruledAt = at;
      return apply(from, listed, at);
    },
    remember(listed) {
      ofAgent = listed;
    },
    confirm(at) {
      if (!ofAgent) return false;
      const isFresh = at.getTime() - observedAtMs < rosterTiming.observedMs;
      if (isFresh && isKnown && source === 'agent') return touch('agent', at);
      return apply('agent', ofAgent, at);
    },
    takeJoin(player, at) {
      if (!ruledAt || at < ruledAt) return false;
      const stay = findStay(open, player);
      if (stay && (player.platformId === null || stay.platformId === player.platformId)) return false;
      if (stay) learn(stay, player);
      else if (isAmbiguous(open, player)) return false;
      else begin(player, at);
      current = null;
      observedAtMs = at.getTime();
      return true;
    },
    takeLeave(player, at) {
      if (!ruledAt || at < ruledAt) return false;
      const stay = findStay(open, player);
      if (!stay) return false;
      end(stay, at);
      current = null;
      observedAtMs = at.getTime();
      return true;
    },
    lose(at) {
      if (!isKnown) return false;
      isKnown = false;
      unknownSince = at;
      return true;
    },
    expire(at) {
      if (isKnown) return false;
      const before = open.size;
      for (const stay of [...open]) {
        const deadline = unknownSince
          ? unknownSince.getTime() + rosterTiming.graceMs
          : stay.confirmedAt.getTime() + rosterTiming.resumeMs;
        if (at.getTime() > deadline) end(stay, stay.confirmedAt);
      }
      if (open.size < before) current = null;
      return open.size < before;
    },
    resume(stay) {
      open.add(stay);
      current = null;
    },
    forget(written) {
      for (const stay of written) ended.delete(stay);
    },
  };
};

const later = (one: Date, other: Date): Date => (one < other ? other : one);

/** Several of this name are there, and a log does not tell which. */
const isAmbiguous = (open: ReadonlySet<Stay>, { name, platformId }: SeenPlayer): boolean =>
  platformId === null && [...open].some((stay) => stay.name === name);
