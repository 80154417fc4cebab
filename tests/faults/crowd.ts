import { setTimeout as delay } from 'node:timers/promises';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { FaultGame } from './fault-game.ts';

export interface CrowdPlayer {
  readonly name: string;
  /** An entity id, or an ARK survivor number; the same on every server of the game. */
  readonly numericId: number;
}

/** The players of one game, each on one of its servers or offline. */
export interface Crowd {
  readonly players: readonly CrowdPlayer[];
  /** All offline players join; no one leaves any more. */
  gather(): void;
  /** The game lost all its players; they come back one after another. */
  comeBack(game: FaultGame): Promise<void>;
  /** Players leave and join any server of the game, until they are gathered. */
  wander(): Promise<void>;
}

export interface CrowdOptions {
  readonly games: readonly FaultGame[];
  readonly players: readonly CrowdPlayer[];
  readonly random: () => number;
}

const betweenMs = 700;
const mostAwayMs = 3000;
const mostComebackMs = 1500;

export const createCrowd = ({ games, players, random }: CrowdOptions): Crowd => {
  const whereabouts = new Map<CrowdPlayer, FaultGame | null>(players.map((player) => [player, null]));
  let isGathered = false;
  const anyOf = <One>(all: readonly One[]): One => pickFrom(all, random);
  const come = (player: CrowdPlayer, game: FaultGame = anyOf(games)) => {
    whereabouts.set(player, game);
    game.join(player.name, player.numericId);
  };
  const gather = () => {
    isGathered = true;
    for (const player of players) if (!whereabouts.get(player)) come(player);
  };

  return {
    players,
    gather,
    async comeBack(game) {
      const lost = players.filter((player) => whereabouts.get(player) === game);
      await Promise.all(
        lost.map(async (player) => {
          await delay(random() * mostComebackMs);
          if (whereabouts.get(player) === game) game.join(player.name, player.numericId);
        }),
      );
    },
    async wander() {
      isGathered = false;
      while (!isGathered) {
        await delay(betweenMs);
        if (isGathered) return;
        const player = anyOf(players);
        whereabouts.get(player)?.leave(player.name);
        whereabouts.set(player, null);
        await delay(random() * mostAwayMs);
        if (!whereabouts.get(player)) come(player);
      }
    },
  };
};
