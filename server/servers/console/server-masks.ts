import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { createLineMask, type LineMask } from '#games/masked-lines.ts';
import type { Secret } from '#runtime/secret.ts';

/** Masks passwords in the lines that consoles push to the API itself, as an agent does with what it hears. */
export interface ServerMasks {
  /** The password that opens the console from now on. */
  hide(serverId: string, password: Secret): void;
  gave(serverId: string, command: string): void;
  mask(serverId: string, line: string): string;
}

export const createServerMasks = (gameOfServer: (serverId: string) => GameId | null): ServerMasks => {
  const masks = new Map<string, LineMask>();
  return {
    hide(serverId, password) {
      const game = gameOfServer(serverId);
      if (game) masks.set(serverId, createLineMask(gameOf(game), [password]));
    },
    gave: (serverId, command) => masks.get(serverId)?.gave(command),
    mask(serverId, line) {
      const game = gameOfServer(serverId);
      const known = masks.get(serverId) ?? (game ? createLineMask(gameOf(game), []) : null);
      if (!known) return line;
      masks.set(serverId, known);
      return known.mask(line);
    },
  };
};
