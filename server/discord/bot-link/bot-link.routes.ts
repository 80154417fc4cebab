import { botHttp } from '#contracts/discord/bot.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { BotLink } from './bot-link.ts';

/** @param revision of the bot's settings. @throws {Problem} while the database cannot be queried */
export const bindBotLinkRoutes = (
  routes: ApiRoutes,
  botLink: BotLink,
  revision: () => Promise<string>,
): void => {
  routes.on(botHttp.report, async ({ body }) => {
    botLink.report(body);
    const known = await revision().catch((error: unknown) => {
      if (error instanceof Problem) return null;
      throw error;
    });
    return { revision: known };
  });
  routes.on(botHttp.process, ({ body }) => {
    botLink.reportProcess(body);
    return {};
  });
};
