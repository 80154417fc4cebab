import { gameOf } from '#games/games.ts';
import type { ConsoleRouter } from '../console-router/console-router.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';

export interface SayLineOptions {
  readonly servers: Pick<ServerDirectory, 'get'>;
  readonly router: ConsoleRouter;
}

/** For the game's answer. */
const timeoutMs = 10_000;

/**
 * Says a line in the chat of a game. It is no act of an admin and stands neither in the console's history nor in the audit
 * log, as the questions that are asked of games by themselves. @returns whether the game has answered
 */
export const createSayLine =
  ({ servers, router }: SayLineOptions) =>
  async (serverId: string, text: string): Promise<boolean> => {
    const server = servers.get(serverId);
    const rendered = server && gameOf(server.game).actions.say?.render({ message: text });
    if (!rendered || 'refused' in rendered) return false;
    const { result } = await router.run(serverId, rendered.command, { timeoutMs });
    return result.outcome === 'answered';
  };
