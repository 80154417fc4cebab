import { lastingWordsFor, type SeenPlayer } from './seen-player.ts';

/** A player's time on a server, from coming to going. */
export interface Stay extends SeenPlayer {
  name: string;
  platformId: string | null;
  handle: string;
  readonly joinedAt: Date;
  /** When the player was last seen there. */
  confirmedAt: Date;
  leftAt: Date | null;
  /** Until when the database has been told that the player was seen. */
  toldUntil: Date | null;
  /** What the database has of it; null: nothing yet. */
  stored: StoredStay | null;
}

export interface StoredStay extends SeenPlayer {
  readonly sessionId: string;
  readonly playerId: string;
}

/**
 * Who of those that are seen is whose stay. By platform id first; somebody who was known by name alone is the one of that
 * name who has an id now, unless there are several; whoever is named without an id is the one of that name.
 */
export const matchStays = (
  stays: Iterable<Stay>,
  seen: readonly SeenPlayer[],
): ReadonlyMap<SeenPlayer, Stay> => {
  const found = new Map<SeenPlayer, Stay>();
  const free = new Set(stays);
  const take = (player: SeenPlayer, stay: Stay | undefined) => {
    if (!stay || !free.delete(stay)) return;
    found.set(player, stay);
  };

  const byId = new Map([...free].map((stay) => [stay.platformId, stay]));
  for (const player of seen) if (player.platformId !== null) take(player, byId.get(player.platformId));

  const left = (hasId: boolean) =>
    seen.filter((player) => !found.has(player) && (player.platformId !== null) === hasId);
  const nameless = (stay: Stay) => stay.platformId === null;
  for (const by of [byName, byAnyWord]) {
    const candidates = index(free, by, nameless);
    const claims = Map.groupBy(left(true), (player) => sole(by(player), candidates));
    for (const [stay, [player, ...others]] of claims)
      if (stay && player && others.length === 0) take(player, stay);
  }
  for (const isCandidate of [nameless, () => true])
    for (const by of [byName, byAnyWord]) {
      const candidates = index(free, by, isCandidate);
      for (const player of left(false))
        take(
          player,
          by(player)
            .flatMap((word) => candidates.get(word) ?? [])
            .find((stay) => free.has(stay)),
        );
    }
  return found;
};

type Words = (player: SeenPlayer) => readonly string[];
const byName: Words = ({ name }) => [name];
const byAnyWord: Words = lastingWordsFor;

const index = (stays: Iterable<Stay>, by: Words, isCandidate: (stay: Stay) => boolean) => {
  const found = new Map<string, Stay[]>();
  for (const stay of stays)
    if (isCandidate(stay))
      for (const word of by(stay)) {
        const known = found.get(word);
        if (known) known.push(stay);
        else found.set(word, [stay]);
      }
  return found;
};

const sole = (words: readonly string[], candidates: ReadonlyMap<string, Stay[]>): Stay | null => {
  const [first, ...others] = new Set(words.flatMap((word) => candidates.get(word) ?? []));
  return others.length === 0 ? (first ?? null) : null;
};

/** The one stay that is meant; null when there is none, or several may be. */
export const findStay = (stays: Iterable<Stay>, player: SeenPlayer): Stay | null => {
  const all = [...stays];
  const same = all.find(({ platformId }) => platformId !== null && platformId === player.platformId);
  if (same) return same;
  // Whoever has another id is somebody else.
  const candidates = player.platformId === null ? all : all.filter(({ platformId }) => platformId === null);
  for (const by of [byName, byAnyWord]) {
    const [first, ...others] = candidates.filter((stay) =>
      by(stay).some((word) => by(player).includes(word)),
    );
    if (first) return others.length === 0 ? first : null;
  }
  return null;
};

/** A name alone is who somebody is: it changes only with an id that stays the same. */
export const learn = (stay: Stay, { name, platformId, handle }: SeenPlayer): boolean => {
  const before = { ...stay };
  if (platformId !== null) {
    stay.platformId = platformId;
    stay.name = name;
  }
  if (handle !== '') stay.handle = handle;
  return before.name !== stay.name || before.platformId !== stay.platformId || before.handle !== stay.handle;
};
