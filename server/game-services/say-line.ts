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
 * log, as the questions that are asked of games by themselves. @returns whether the game has answered, and has not refused
 */
export const createSayLine =
  ({ servers, router }: SayLineOptions) =>
  async (serverId: string, text: string): Promise<boolean> => {
    const server = servers.get(serverId);
    const forms = server && gameOf(server.game).actions.say;
    const rendered = forms?.render({ message: text });
    if (!forms || !rendered || 'refused' in rendered) return false;
    const { result } = await router.run(serverId, rendered.command, { timeoutMs });
    if (result.outcome !== 'answered') return false;
    // Games have no word for success here, or only some builds of them.
    const { verdict } = forms.read(result.reply ?? '', { message: text });
    return verdict !== 'failed' && verdict !== 'later';
  };
