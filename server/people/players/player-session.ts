import { lastingWordsFor, type SeenPlayer } from './seen-player.ts';

/** A player's time on a server, from joining to leaving. */
export interface OngoingSession extends SeenPlayer {
  name: string;
  platformId: string | null;
  handle: string;
  readonly joinedAt: Date;
  /** When the player was last seen there. */
  confirmedAt: Date;
  leftAt: Date | null;
  /** The time up to which the database has the player as seen. */
  toldUntil: Date | null;
  /** What the database has of it; null: nothing yet. */
  stored: StoredSession | null;
}

export interface StoredSession extends SeenPlayer {
  readonly sessionId: string;
  readonly playerId: string;
}

/**
 * Finds the session of each seen player. A platform id decides first; a session known only by name belongs to the player of
 * that name who now has an id, unless there are several; a player without an id takes the session of that name.
 */
export const matchSessions = (
  sessions: Iterable<OngoingSession>,
  seen: readonly SeenPlayer[],
): ReadonlyMap<SeenPlayer, OngoingSession> => {
  const found = new Map<SeenPlayer, OngoingSession>();
  const free = new Set(sessions);
  const take = (player: SeenPlayer, session: OngoingSession | undefined) => {
    if (!session || !free.delete(session)) return;
    found.set(player, session);
  };

  const byId = new Map([...free].map((session) => [session.platformId, session]));
  for (const player of seen) if (player.platformId !== null) take(player, byId.get(player.platformId));

  const left = (hasId: boolean) =>
    seen.filter((player) => !found.has(player) && (player.platformId !== null) === hasId);
  const nameless = (session: OngoingSession) => session.platformId === null;
  for (const by of [byName, byAnyWord]) {
    const candidates = index(free, by, nameless);
    const claims = Map.groupBy(left(true), (player) => sole(by(player), candidates));
    for (const [session, [player, ...others]] of claims)
      if (session && player && others.length === 0) take(player, session);
  }
  for (const isCandidate of [nameless, () => true])
    for (const by of [byName, byAnyWord]) {
      const candidates = index(free, by, isCandidate);
      for (const player of left(false))
        take(
          player,
          by(player)
            .flatMap((word) => candidates.get(word) ?? [])
            .find((session) => free.has(session)),
        );
    }
  return found;
};

type Words = (player: SeenPlayer) => readonly string[];
const byName: Words = ({ name }) => [name];
const byAnyWord: Words = lastingWordsFor;

const index = (
  sessions: Iterable<OngoingSession>,
  by: Words,
  isCandidate: (session: OngoingSession) => boolean,
) => {
  const found = new Map<string, OngoingSession[]>();
  for (const session of sessions)
    if (isCandidate(session))
      for (const word of by(session)) {
        const known = found.get(word);
        if (known) known.push(session);
        else found.set(word, [session]);
      }
  return found;
};

const sole = (
  words: readonly string[],
  candidates: ReadonlyMap<string, OngoingSession[]>,
): OngoingSession | null => {
  const [first, ...others] = new Set(words.flatMap((word) => candidates.get(word) ?? []));
  return others.length === 0 ? (first ?? null) : null;
};

/** The one matching session; null when there is none or several match. */
export const findSession = (
  sessions: Iterable<OngoingSession>,
  player: SeenPlayer,
): OngoingSession | null => {
  const all = [...sessions];
  const same = all.find(({ platformId }) => platformId !== null && platformId === player.platformId);
  if (same) return same;
  // Another id means another player.
  const candidates = player.platformId === null ? all : all.filter(({ platformId }) => platformId === null);
  for (const by of [byName, byAnyWord]) {
    const [first, ...others] = candidates.filter((session) =>
      by(session).some((word) => by(player).includes(word)),
    );
    if (first) return others.length === 0 ? first : null;
  }
  return null;
};

/** A name without an id identifies the player, so it changes only if the id stays the same. */
export const learn = (session: OngoingSession, { name, platformId, handle }: SeenPlayer): boolean => {
  const before = { ...session };
  if (platformId !== null) {
    session.platformId = platformId;
    session.name = name;
  }
  if (handle !== '') session.handle = handle;
  return (
    before.name !== session.name ||
    before.platformId !== session.platformId ||
    before.handle !== session.handle
  );
};
