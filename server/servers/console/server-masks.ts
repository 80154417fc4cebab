import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { createLineMask, type LineMask } from '#games/masked-lines.ts';
import type { Secret } from '#runtime/secret.ts';

/** Masks passwords in the lines that consoles push to the API itself, as an agent does with what it hears. */
export type ServerMasks = ReturnType<typeof createServerMasks>;

export const createServerMasks = (gameOfServer: (serverId: string) => GameId | null) => {
  const masks = new Map<string, LineMask>();
  return {
    /** The password that opens the console from now on. */
    hide(serverId: string, password: Secret): void {
      const game = gameOfServer(serverId);
      if (game) masks.set(serverId, createLineMask(gameOf(game), [password]));
    },
    gave: (serverId: string, command: string): void => masks.get(serverId)?.gave(command),
    mask(serverId: string, line: string): string {
      const game = gameOfServer(serverId);
      const known = masks.get(serverId) ?? (game ? createLineMask(gameOf(game), []) : null);
      if (!known) return line;
      masks.set(serverId, known);
      return known.mask(line);
    },
  };
};
