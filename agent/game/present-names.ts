import type { IsOnline, ListedPlayer, LogObservation } from '#games/game.ts';

/** Who is on the server, from the game's list and from what its log said since. */
export interface PresentNames {
  readonly isOnline: IsOnline;
  all(): readonly string[];
  take(observation: LogObservation | null): void;
}

/** Names that the log told; more would be made up. */
const mostTold = 1000;

/** @param listed the game's own list; null when it is not known */
export const createPresentNames = (listed: () => readonly ListedPlayer[] | null): PresentNames => {
  /** By the log: true for those who have joined, false for those who have left. */
  const told = new Map<string, boolean>();
  const all = () => {
    const names = new Set<string>();
    for (const { name, handle } of listed() ?? []) for (const one of [name, handle]) names.add(one);
    for (const [name, isThere] of told) if (isThere) names.add(name);
    return [...names];
  };
  return {
    all,
    isOnline: (name) =>
      told.get(name) === true || (listed() ?? []).some((one) => one.name === name || one.handle === name),
    take(observation) {
      if (observation === null || observation.kind === 'chat') return;
      told.delete(observation.player.name);
      told.set(observation.player.name, observation.kind === 'join');
      const [oldest] = told.keys();
      if (told.size > mostTold && oldest !== undefined) told.delete(oldest);
    },
  };
};
