import { gameOf } from '#games/games.ts';
import type { ConsoleRouter } from '../../kernel/commands/console-router.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';

/** How long to wait for the game's answer. */
const timeoutMs = 10_000;

/**
 * Says a line in the game's chat. Like Castellan's own queries to games, it is not an admin's action and appears neither in
 * the console's history nor in the audit log.
 * @returns whether the game answered and did not refuse
 */
export const sayLine = async (
  {
    directory,
    router,
  }: { readonly directory: Pick<ServerDirectory, 'get'>; readonly router: Pick<ConsoleRouter, 'run'> },
  serverId: string,
  text: string,
): Promise<boolean> => {
  const server = directory.get(serverId);
  const forms = server && gameOf(server.game).actions.say;
  const rendered = forms?.render({ message: text });
  if (!forms || !rendered || 'refused' in rendered) return false;
  const { result } = await router.run(serverId, rendered.command, { timeoutMs });
  if (result.outcome !== 'answered') return false;
  // Games do not report success here, or only some builds do.
  const { verdict } = forms.read(result.reply ?? '', { message: text });
  return verdict !== 'failed' && verdict !== 'later';
};
